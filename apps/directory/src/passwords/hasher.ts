import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { DirectoryError } from "../errors/directory-error.ts";

/** Cost of argon2id: memory in KiB, passes, lanes. */
export interface HashCost {
  readonly memory: number;
  readonly passes: number;
  readonly lanes: number;
}

/** The least that OWASP's Password Storage Cheat Sheet asks of argon2id. */
export const OWASP_COST: HashCost = { memory: 19_456, passes: 2, lanes: 1 };

export interface Hasher {
  hash(pass: string): Promise<string>;
  /** Verifies with the parameters in the hash; without a hash it takes as long and is false. */
  verify(passHash: string | null, pass: string): Promise<boolean>;
  /** Whether a hash is weaker than what new ones are made with. */
  needsRehash(passHash: string): boolean;
}

/**
 * Hashes on worker threads, at most `parallel` at a time with at most `waiting` behind them; beyond that it throws `busy`
 * at once, so that a flood of sign-ins takes neither the memory nor the processors that the rest needs.
 */
export async function createHasher(options: {
  readonly cost: HashCost;
  readonly parallel: number;
  readonly waiting: number;
}): Promise<Hasher> {
  const turn = queue(options.parallel, options.waiting);
  const { cost } = options;
  const settings = {
    // The library's `Algorithm.Argon2id` and `Version.V0x13`, whose ambient enums can't be imported here.
    algorithm: 2,
    version: 1,
    memoryCost: cost.memory,
    timeCost: cost.passes,
    parallelism: cost.lanes,
  };
  // Nobody knows this password: what an unknown user's sign-in is verified against, to take as long as a known one's.
  const nobody = await hash(randomBytes(32), settings);
  return {
    hash: (pass) => turn(() => hash(pass.normalize("NFC"), settings)),
    verify: (passHash, pass) =>
      turn(async () => {
        const same = await verify(passHash ?? nobody, pass.normalize("NFC"));
        return passHash !== null && same;
      }),
    needsRehash: (passHash) => isWeaker(passHash, cost),
  };
}

const PHC = /^\$(argon2(?:id|i|d))\$v=(\d+)\$m=(\d+),t=(\d+),p=(\d+)\$/;

/** Whether a PHC string has another type or version, or less of any cost, than `cost` asks for. */
export function isWeaker(passHash: string, cost: HashCost): boolean {
  const [, type, version, memory, passes, lanes] = PHC.exec(passHash) ?? [];
  if (type !== "argon2id" || Number(version) < 19) return true;
  return Number(memory) < cost.memory || Number(passes) < cost.passes || Number(lanes) < cost.lanes;
}

function queue(parallel: number, waiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiters: (() => void)[] = [];
  return async (work) => {
    if (running >= parallel) {
      if (waiters.length >= waiting)
        throw new DirectoryError("busy", "Too many sign-ins and password changes at once.", { retryAfter: 1 });
      // Whoever ends hands its place over, so the place is never free in between.
      await new Promise<void>((resolve) => waiters.push(resolve));
    } else running++;
    try {
      return await work();
    } finally {
      const next = waiters.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
