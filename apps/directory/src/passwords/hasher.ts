import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { DirectoryError } from "../errors/directory-error.ts";

/** Cost of argon2id: memory in KiB, passes, lanes. */
export interface HashCost {
  readonly memory: number;
  readonly passes: number;
  readonly lanes: number;
}

/** The minimum that OWASP's Password Storage Cheat Sheet recommends for argon2id. */
export const OWASP_COST: HashCost = { memory: 19_456, passes: 2, lanes: 1 };

export interface Hasher {
  hash(pass: string): Promise<string>;
  /** Verifies with the parameters in the hash. Without a hash it takes the same time and returns false. */
  verify(passHash: string | null, pass: string): Promise<boolean>;
  /** Whether a hash is weaker than newly made ones. */
  needsRehash(passHash: string): boolean;
}

/**
 * Hashes on worker threads, at most `parallel` at a time with at most `waiting` queued.
 * @throws `busy` when the queue is full, so that a flood of sign-ins does not starve other requests.
 */
export async function createHasher(options: {
  readonly cost: HashCost;
  readonly parallel: number;
  readonly waiting: number;
}): Promise<Hasher> {
  const queue = new Queue(options.parallel, options.waiting);
  const { cost } = options;
  const settings = {
    // The library's `Algorithm.Argon2id` and `Version.V0x13`, ambient enums that cannot be imported here.
    algorithm: 2,
    version: 1,
    memoryCost: cost.memory,
    timeCost: cost.passes,
    parallelism: cost.lanes,
  };
  // Sign-ins of unknown users are verified against this hash of a random password, so they take as long as others.
  const decoy = await hash(randomBytes(32), settings);
  return {
    hash: (pass) => queue.run(() => hash(pass.normalize("NFC"), settings)),
    verify: (passHash, pass) =>
      queue.run(async () => {
        const isRight = await verify(passHash ?? decoy, pass.normalize("NFC"));
        return passHash !== null && isRight;
      }),
    needsRehash: (passHash) => isWeaker(passHash, cost),
  };
}

const PHC = /^\$(argon2(?:id|i|d))\$v=(\d+)\$m=(\d+),t=(\d+),p=(\d+)\$/;

/** Whether a PHC string has another type or version, or a lower cost, than `cost`. */
export function isWeaker(passHash: string, cost: HashCost): boolean {
  const [, type, version, memory, passes, lanes] = PHC.exec(passHash) ?? [];
  if (type !== "argon2id" || Number(version) < 19) return true;
  return Number(memory) < cost.memory || Number(passes) < cost.passes || Number(lanes) < cost.lanes;
}

/** Runs at most `parallel` tasks at a time with at most `waiting` queued. */
class Queue {
  readonly #parallel: number;
  readonly #waiting: number;
  readonly #waiters: (() => void)[] = [];
  #running = 0;

  constructor(parallel: number, waiting: number) {
    this.#parallel = parallel;
    this.#waiting = waiting;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#acquire();
    try {
      return await work();
    } finally {
      // Hands the slot to the next waiter, so that it is never free in between.
      const next = this.#waiters.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }

  async #acquire(): Promise<void> {
    if (this.#running < this.#parallel) {
      this.#running++;
      return;
    }
    if (this.#waiters.length >= this.#waiting)
      throw new DirectoryError("busy", "Too many sign-ins and password changes in progress; retry in a second.", {
        retryAfter: 1,
      });
    await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }
}
