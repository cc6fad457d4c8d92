import { type Check, type Refusal, refusalBy } from "./check.ts";
import type { Kind, OwnedConstraint } from "./constraint.ts";
import { type EffectiveConstraints, ofKind } from "./effective.ts";
import type { Space } from "./space.ts";

type ConstraintOf<K extends Kind> = Extract<OwnedConstraint, { kind: K }>;

/** A kind whose requests name single items, and where its values stand in a baseline and a constraint. */
export interface ItemKind<K extends Kind, Value, Item> {
  readonly kind: K;
  readonly space: Space<Value, Item>;
  readonly baseline: (effective: EffectiveConstraints) => readonly Value[];
  readonly valuesOf: (constraint: ConstraintOf<K>) => readonly Value[];
}

/** Checks all items of one kind that a request names. */
export function checkItems<K extends Kind, Value, Item>(
  { kind, space, baseline, valuesOf }: ItemKind<K, Value, Item>,
  items: readonly Item[],
  effective: EffectiveConstraints,
): readonly Check[] {
  const constraints = ofKind(effective, kind);
  const granted = [...baseline(effective), ...constraints.filter((one) => one.effect === "grant").flatMap(valuesOf)];
  const limits = constraints.filter((one) => one.effect === "limit");
  const denies = constraints.filter((one) => one.effect === "deny");

  /** Why one of an item's choices is not permitted, denies aside. */
  function unpermitted(choice: Item): readonly Refusal[] {
    return [
      ...(space.covers(granted, choice) ? [] : [{ reason: "not-granted", constraints: [] } as const]),
      ...refusalBy(
        "outside-limit",
        limits.filter((one) => !space.covers(valuesOf(one), choice)),
      ),
    ];
  }

  return items.map((item) => {
    // Grants and limits have to meet in one choice: a name that passes some of them lends nothing to another name.
    const [first = item, ...others] = space.choices(item);
    const nearest = others.reduce((best, choice) => nearer(best, unpermitted(choice)), unpermitted(first));
    const refusals = [
      ...nearest,
      ...refusalBy(
        "denied",
        denies.filter((one) => space.touches(valuesOf(one), item)),
      ),
    ];
    const passing =
      refusals.length === 0 ? [] : passingOf(space, granted, limits.map(valuesOf), denies.flatMap(valuesOf));
    return { kind, item: space.showItem(item), refusals, passing, remedy: null };
  });
}

/** Of the reasons against two choices, those that are easier to remove: what is granted first, then what fewer limits exclude. */
function nearer(one: readonly Refusal[], other: readonly Refusal[]): readonly Refusal[] {
  return distance(other) < distance(one) ? other : one;
}

function distance(refusals: readonly Refusal[]): number {
  return refusals.reduce((sum, { constraints }) => sum + (constraints.length || Number.MAX_SAFE_INTEGER / 2), 0);
}

/** Enough for a person to choose from, and few enough that a refusal stays cheap. */
const MAX_CANDIDATES = 100;

/** The values that pass grants and limits whole, each with the denies that take part of it away. */
function passingOf<Value>(
  space: Pick<Space<Value, unknown>, "within" | "removes" | "meets" | "showValue">,
  granted: readonly Value[],
  limits: readonly (readonly Value[])[],
  denied: readonly Value[],
): readonly string[] {
  const whole = [...limits.flat(), ...granted]
    .slice(0, MAX_CANDIDATES)
    .filter((value) => space.within(granted, value) && limits.every((limit) => space.within(limit, value)))
    .filter((value) => !space.removes(denied, value));
  const widest = whole.filter(
    (value, at) =>
      !whole.some(
        (other, place) => place !== at && space.within([other], value) && (place < at || !space.within([value], other)),
      ),
  );
  return widest.map((value) => {
    const holes = denied.slice(0, MAX_CANDIDATES).filter((deny) => space.meets(deny, value));
    const except = holes.length === 0 ? "" : ` except ${[...new Set(holes.map(space.showValue))].join(" and ")}`;
    return `${space.showValue(value)}${except}`;
  });
}
