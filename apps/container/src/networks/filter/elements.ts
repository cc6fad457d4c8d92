import type { Element, SetOfElements } from "./element.ts";
import type { Nft } from "./nft.ts";

/** What holds elements: a container, or a link of one. */
export type Holding<Holder> = ReadonlyMap<Holder, readonly Element[]>;

/** The elements of several sets, by who holds them. The kernel's copy follows in one transaction a call, whatever its size. */
export interface Elements<Holder> {
  /** Replaces the holders' elements. After an error none of the holders has any. */
  put(held: Holding<Holder>): Promise<void>;
  /** Removes what the holders have. Idempotent. */
  remove(holders: readonly Holder[]): Promise<void>;
  of(holder: Holder): readonly Element[];
  /** Replaces the kernel's sets with `wanted` in one transaction, so that wanted elements are never absent. */
  reset(wanted: Holding<Holder>): Promise<void>;
}

/**
 * @param prepare commands that make the tables and the sets where they are absent.
 * @param sets every set that the elements are of; nothing else may be in them.
 */
export function createElements<Holder>(
  nft: Nft,
  table: string,
  { prepare, sets }: { readonly prepare: readonly string[]; readonly sets: readonly SetOfElements[] },
): Elements<Holder> {
  const held = new Map<Holder, readonly Element[]>();

  const rebuild = () =>
    nft.apply([
      ...prepare,
      ...sets.map(({ family, set, isMap }) => `flush ${isMap ? "map" : "set"} ${family} ${table} ${set}`),
      ...addCommands(table, [...held.values()].flat()),
    ]);
  const take = (holders: Iterable<Holder>): readonly Element[] => {
    const taken = [...holders].flatMap((holder) => held.get(holder) ?? []);
    for (const holder of holders) held.delete(holder);
    return taken;
  };

  return {
    put: async (wanted) => {
      const earlier = take([...wanted.keys()]);
      for (const [holder, elements] of wanted) held.set(holder, elements);
      try {
        await nft.change(table, sets, { delete: earlier, add: [...wanted.values()].flat() });
      } catch (thrown) {
        take([...wanted.keys()]);
        await rebuild();
        throw thrown;
      }
    },
    remove: async (holders) => {
      const before = holders.flatMap((holder) => {
        const elements = held.get(holder);
        return elements === undefined ? [] : [[holder, elements] as const];
      });
      const gone = take(holders);
      try {
        // The kernel may lack some elements; apply the wanted state.
        await nft.change(table, sets, { delete: gone, add: [] }).catch(rebuild);
      } catch (thrown) {
        for (const [holder, elements] of before) held.set(holder, elements);
        throw thrown;
      }
    },
    of: (holder) => held.get(holder) ?? [],
    reset: async (wanted) => {
      held.clear();
      for (const [holder, elements] of wanted) held.set(holder, elements);
      await rebuild();
    },
  };
}

/** One command for each set. */
function addCommands(table: string, elements: readonly Element[]): readonly string[] {
  const bySet = new Map<string, string[]>();
  for (const { family, set, key, value } of elements) {
    const name = `${family} ${table} ${set}`;
    const texts = bySet.get(name) ?? [];
    bySet.set(name, texts);
    texts.push(value === undefined ? key : `${key} : ${value}`);
  }
  return [...bySet].map(([name, texts]) => `add element ${name} { ${texts.join(", ")} }`);
}
