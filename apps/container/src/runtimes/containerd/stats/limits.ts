import { totalmem } from "node:os";

/** The kernel's word for "no limit" is a number near 2^63 or 0, or no number. */
export function limitOf(limit: number | undefined): number | undefined {
  return limit === undefined || Number.isNaN(limit) || limit === 0 || limit >= 2 ** 62 ? undefined : limit;
}

/** Docker shows the machine's memory where nothing less limits a container. */
export function memoryLimitOf(limit: number | undefined): number {
  const machine = totalmem();
  return Math.min(limitOf(limit) ?? machine, machine);
}
