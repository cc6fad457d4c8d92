import { CHANGES } from "./change.testing.ts";
import { LOOKS } from "./look.testing.ts";
import { Random } from "./random.testing.ts";
import { type Send, World } from "./world.testing.ts";

const OPERATIONS = { ...CHANGES, ...LOOKS };
type Operation = keyof typeof OPERATIONS;

/** How often each comes, relative to the others. */
const WEIGHTS: Readonly<Record<Operation, number>> = {
  addUser: 5,
  removeUser: 2,
  addGroup: 2,
  removeGroup: 1,
  join: 12,
  leave: 5,
  nest: 8,
  unnest: 3,
  constrain: 18,
  reconstrain: 9,
  able: 4,
  addToken: 5,
  revokeToken: 3,
  lists: 8,
  effective: 12,
  nesting: 5,
  decide: 34,
};
const BAG = Object.entries(WEIGHTS).flatMap(([name, weight]) => Array<Operation>(weight).fill(name as Operation)) as [
  Operation,
  ...Operation[],
];

const USERS_AT_FIRST = 12;
const GROUPS_AT_FIRST = 6;

/**
 * Runs random operations on a directory by several clients at once, and compares every answer with a model.
 * @returns the differences, and how often each operation ran
 */
export async function runModel(
  send: Send,
  options: { readonly operations: number; readonly seed: number; readonly clients: number },
): Promise<{ readonly differences: readonly string[]; readonly ran: Readonly<Record<string, number>> }> {
  const world = new World(send, new Random(options.seed));
  const ran: Record<string, number> = {};
  const runOne = async (name: Operation) => {
    world.operations += 1;
    ran[name] = (ran[name] ?? 0) + 1;
    try {
      await OPERATIONS[name](world);
    } catch (fault) {
      world.differs(`${name} threw`, { fault: String((fault as Error).stack) });
    }
  };
  for (let n = 0; n < USERS_AT_FIRST; n++) await runOne("addUser");
  for (let n = 0; n < GROUPS_AT_FIRST; n++) await runOne("addGroup");
  await runOne("effective");
  const client = async () => {
    while (world.operations < options.operations) await runOne(world.random.pick(BAG));
  };
  await Promise.all(Array.from({ length: options.clients }, client));
  return { differences: world.differences, ran };
}
