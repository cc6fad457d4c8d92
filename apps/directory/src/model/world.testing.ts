import { setTimeout as delay } from "node:timers/promises";
import type { Baseline, Rule } from "./decide.testing.ts";
import { Locks, type Mode } from "./locks.testing.ts";
import type { Random } from "./random.testing.ts";

export interface ModelUser {
  readonly id: number;
  readonly login: string;
  readonly role: string;
  active: boolean;
  readonly groups: Set<number>;
}
export interface ModelGroup {
  readonly id: number;
  /** Role by user. */
  readonly members: Map<number, string>;
  readonly subgroups: Set<number>;
}
export interface ModelConstraint extends Rule {
  readonly id: number;
  readonly owner: { readonly type: "user" | "group"; readonly id: number };
  readonly version: number;
}
export interface ModelToken {
  readonly token: string;
  readonly userId: number;
  readonly scope: string;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the model looks into answers of every shape.
  readonly json: any;
}
export interface Asked {
  readonly json?: unknown;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
/** Sends one request to the directory; as the administrator unless a token is given. */
export type Send = (method: string, path: string, asked?: Asked) => Promise<Answer>;

/** How near its end a constraint may still hold or not: the directory's clock and the model's differ by a request. */
const UNSURE_MS = 700;

/** What the directory should hold, and where it was found to differ. */
export class World {
  readonly users = new Map<number, ModelUser>();
  readonly groups = new Map<number, ModelGroup>();
  readonly constraints = new Map<number, ModelConstraint>();
  readonly tokens = new Map<number, ModelToken>();
  readonly differences: string[] = [];
  readonly random: Random;
  readonly run: string;
  baseline: Baseline | undefined;
  operations = 0;
  readonly #send: Send;
  readonly #locks = new Locks();

  constructor(send: Send, random: Random) {
    this.#send = send;
    this.random = random;
    this.run = `m${Date.now().toString(36)}`;
  }

  differs(what: string, detail: object): void {
    this.differences.push(`operation ${this.operations}: ${what} ${JSON.stringify(detail)}`);
  }

  /** Sends a request, and once more where the directory is busy. */
  async send(method: string, path: string, asked: Asked = {}): Promise<Answer> {
    for (let tries = 0; ; tries++) {
      const answer = await this.#send(method, path, asked);
      if (answer.status === 503 && tries < 20) {
        await delay(100);
        continue;
      }
      if (answer.status >= 500) this.differs(`${method} ${path} is ${answer.status}`, { asked, text: answer.text });
      return answer;
    }
  }

  /** The same, and tells a difference unless it has the status. */
  async must(status: number, method: string, path: string, asked: Asked = {}): Promise<Answer> {
    const answer = await this.send(method, path, asked);
    if (answer.status !== status)
      this.differs(`${method} ${path} is ${answer.status}`, { right: status, json: asked.json, text: answer.text });
    return answer;
  }

  expect(what: string, right: unknown, got: unknown, detail: object = {}): void {
    if (JSON.stringify(right) !== JSON.stringify(got)) this.differs(what, { right, got, ...detail });
  }

  hold(keys: Readonly<Record<string, Mode>>, work: () => Promise<void>): Promise<void> {
    return this.#locks.hold(keys, work);
  }

  /** A group and all that are part of it, at any depth. */
  within(groupId: number): ReadonlySet<number> {
    return reached([groupId], (id) => this.#below(id));
  }

  /** The groups of a user and all that these are part of, at any depth: those whose constraints hold for it. */
  above(user: ModelUser): ReadonlySet<number> {
    return reached(user.groups, (id) => this.#above(id));
  }

  #below(groupId: number): readonly number[] {
    return [...(this.groups.get(groupId)?.subgroups ?? [])];
  }

  #above(groupId: number): readonly number[] {
    return [...this.groups.values()].filter(({ subgroups }) => subgroups.has(groupId)).map(({ id }) => id);
  }

  /** How many groups the longest chain has that begins at a group and goes down, or up. */
  chain(groupId: number, way: "down" | "up"): number {
    return longest(groupId, way === "down" ? (id) => this.#below(id) : (id) => this.#above(id), new Map());
  }

  /**
   * Holds a user, and the groups whose constraints hold for it: a removal changes the members of its own groups too. They may have
   * changed while the locks were waited for: then the work is left out.
   */
  async onUser(
    user: ModelUser | undefined,
    mode: Mode | "removal",
    work: (user: ModelUser) => Promise<void>,
  ): Promise<void> {
    if (user === undefined || this.users.get(user.id) !== user) return;
    const isRemoval = mode === "removal";
    const keysOf = (): Record<string, Mode> => ({
      [`user ${user.id}`]: isRemoval ? "alone" : mode,
      ...groupKeys(this.above(user), "shared"),
      ...groupKeys(user.groups, isRemoval ? "alone" : "shared"),
    });
    await this.holdWhile(keysOf, async () => {
      if (this.users.get(user.id) === user) await work(user);
    });
  }

  /** Holds the keys, and leaves the work out where others have come to be needed while they were waited for. */
  async holdWhile(keysOf: () => Readonly<Record<string, Mode>>, work: () => Promise<void>): Promise<void> {
    const keys = keysOf();
    await this.hold(keys, async () => {
      if (Object.entries(keysOf()).every(([key, mode]) => keys[key] === mode || keys[key] === "alone")) await work();
    });
  }

  /** The constraints that hold for a user, in the order of their ids. */
  heldBy(user: ModelUser): readonly ModelConstraint[] {
    const groups = this.above(user);
    return [...this.constraints.values()]
      .filter(({ owner }) => (owner.type === "user" ? owner.id === user.id : groups.has(owner.id)))
      .sort((a, b) => a.id - b.id);
  }

  /** Forgets the constraints of an owner that is gone, and gives their ids. */
  dropConstraints(type: "user" | "group", id: number): readonly number[] {
    const gone = [...this.constraints.values()].filter(({ owner }) => owner.type === type && owner.id === id);
    for (const constraint of gone) this.constraints.delete(constraint.id);
    return gone.map((constraint) => constraint.id);
  }

  /** Forgets the tokens of a user that is gone or disabled, and expects that none of them opens anything. */
  async dropTokens(userId: number): Promise<void> {
    for (const [id, { token, userId: owner }] of this.tokens) {
      if (owner !== userId) continue;
      this.tokens.delete(id);
      await this.must(401, "GET", "/api/me", { token });
    }
  }
}

export function groupKeys(ids: Iterable<number>, mode: Mode): Record<string, Mode> {
  return Object.fromEntries([...ids].map((id) => [`group ${id}`, mode]));
}

/** What is reached from some ids, these among them. */
function reached(from: Iterable<number>, next: (id: number) => Iterable<number>): ReadonlySet<number> {
  const found = new Set<number>();
  const left = [...from];
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    left.push(...next(id));
  }
  return found;
}

function longest(id: number, next: (id: number) => readonly number[], known: Map<number, number>): number {
  const length = known.get(id) ?? 1 + Math.max(0, ...next(id).map((one) => longest(one, next, known)));
  known.set(id, length);
  return length;
}

export function isAlive({ expiresAt }: Rule): boolean {
  return expiresAt === null || Date.parse(expiresAt) > Date.now();
}

/** Whether it ended between `since` and now, or nearly so: what was asked meanwhile may have been answered either way. */
export function isUnsure({ expiresAt }: Rule, since: number): boolean {
  const end = expiresAt === null ? Number.NaN : Date.parse(expiresAt);
  return end > since - UNSURE_MS && end < Date.now() + UNSURE_MS;
}
