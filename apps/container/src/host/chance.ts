import { randomBytes, randomInt } from "node:crypto";
import type { ContainerId } from "../containers/container.ts";
import type { Chance } from "../containers/surroundings.ts";

const digits = (bytes: number): string => randomBytes(bytes).toString("hex");

/** An id whose first twelve digits are all decimal reads as a number to some clients: moby draws another one. */
const drawId = (): string => {
  const id = digits(32);
  return /^[0-9]{12}/.test(id) ? drawId() : id;
};

/** The wall clock with the microseconds of the process's own clock, which never runs backwards within one second. */
const now = (): string => {
  const micros = BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000));
  const whole = new Date(Number(micros / 1000n)).toISOString().slice(0, -1);
  return `${whole}${String(micros % 1000n).padStart(3, "0")}Z`;
};

export const createChance = (): Chance => ({
  now,
  containerId: () => drawId() as ContainerId,
  volumeName: () => digits(32),
  execId: () => digits(32),
  below: (bound) => randomInt(bound),
});
