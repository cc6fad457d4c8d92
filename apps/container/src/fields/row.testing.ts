import type { Seen } from "./probe.testing.ts";

/** What a field of the create body does, and how it shows. */
export type Row = {
  readonly given: unknown;
  /** The rest of the body that the field needs; the test compares with the same body without the field. */
  readonly beside?: object;
  /** Where that depends on the machine. */
  readonly host?: { readonly apparmor?: boolean };
  readonly version?: number;
} & (
  | { readonly kind: "effective"; readonly look: (seen: Seen) => unknown; readonly shows: unknown }
  /** Docker keeps it, shows it and does nothing else with it either. */
  | { readonly kind: "kept"; readonly look: (seen: Seen) => unknown }
  /** A field of answers, which clients send back: no request sets it. */
  | { readonly kind: "output" }
  | { readonly kind: "warned"; readonly message: string }
  | { readonly kind: "refused"; readonly message: string }
);

type More = Omit<Row, "given" | "kind" | "look" | "shows" | "message">;

/** Effective: with the field, `look` finds `shows`, and without it something else. */
export function does(given: unknown, look: (seen: Seen) => unknown, shows: unknown, more: More = {}): Row {
  return { kind: "effective", given, look, shows, ...more };
}

export function kept(given: unknown, look: (seen: Seen) => unknown): Row {
  return { kind: "kept", given, look };
}

export function output(given: unknown): Row {
  return { kind: "output", given };
}

export function warns(given: unknown, message: string, more: More = {}): Row {
  return { kind: "warned", given, message, ...more };
}

export function refuses(given: unknown, message: string, more: More = {}): Row {
  return { kind: "refused", given, message, ...more };
}

/** Rows for the fields of a type; a field that the type gets later does not compile without one. */
export type RowsOf<T, Except extends keyof T = never> = {
  readonly [Field in Exclude<keyof T, Except>]-?: Row | readonly Row[];
};
