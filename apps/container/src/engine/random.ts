import { randomBytes, randomInt } from "node:crypto";
import type { ContainerId } from "./ids.ts";

/** Random names and numbers, injected so that tests can choose them. */
export interface Random {
  containerId(): ContainerId;
  volumeName(): string;
  execId(): string;
  /** A whole number from 0 up to, but not including, `bound`. */
  below(bound: number): number;
}

function digits(bytes: number): string {
  return randomBytes(bytes).toString("hex");
}

/** Redraws ids whose first twelve digits are all decimal: some clients parse them as numbers (moby `stringid`). */
function containerId(): ContainerId {
  const id = digits(32);
  return /^[0-9]{12}/.test(id) ? containerId() : (id as ContainerId);
}

/** Random values from the operating system. */
export const SYSTEM_RANDOM: Random = {
  containerId,
  volumeName: () => digits(32),
  execId: () => digits(32),
  below: (bound) => randomInt(bound),
};
