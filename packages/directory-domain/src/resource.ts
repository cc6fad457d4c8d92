import type { Resource } from "./constraint.ts";

/** How a resource is shown to people, and what a user can do to stay within a quota on it. */
interface ResourceText {
  readonly show: (amount: number) => string;
  /** What makes a container fit of which `left` is left, above 0. */
  readonly remedy: (left: number) => string;
  /** What helps where nothing is left and a new request asks for no amount. */
  readonly full?: string;
}

/** A new resource needs an entry here to compile. */
export const RESOURCE_TEXTS: Readonly<Record<Resource, ResourceText>> = {
  containers: { show: String, remedy: (left) => `create at most ${left}` },
  "published-ports": { show: String, remedy: (left) => `publish at most ${left}` },
  memory: { show: showBytes, remedy: (left) => `add --memory ${dockerBytes(left)} or less` },
  cpu: { show: (amount) => `${round(amount)} ${amount === 1 ? "CPU" : "CPUs"}`, remedy: cpuRemedy },
  networks: { show: String, remedy: (left) => `create at most ${left}` },
  storage: {
    show: showBytes,
    remedy: (left) => `write at most ${showBytes(left)}`,
    full: "remove containers, volumes or files in them",
  },
  pids: { show: String, remedy: (left) => `add --pids-limit ${left} or less` },
};

const KIB = 1024;
const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"];

/** Bytes in the largest unit of which there is at least one: `1.5 GiB`. */
function showBytes(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= KIB && unit < UNITS.length - 1) {
    amount /= KIB;
    unit++;
  }
  return `${round(amount)} ${UNITS[unit]}`;
}

/** The most that `--memory` may say, rounded down to the largest unit that loses little. */
function dockerBytes(bytes: number): string {
  for (const [suffix, size] of [
    ["g", KIB ** 3],
    ["m", KIB ** 2],
    ["k", KIB],
  ] as const) {
    if (bytes % size === 0 || bytes >= 16 * size) return `${Math.floor(bytes / size)}${suffix}`;
  }
  return `${bytes}b`;
}

function cpuRemedy(left: number): string {
  return `add --cpus ${Math.floor(left * 100) / 100 || left} or less`;
}

function round(amount: number): number {
  return Math.round(amount * 100) / 100;
}
