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

  /**
   * Holds a user, and the groups that it is in: a removal changes their members too. They may have changed while the locks were waited for: then the work is left out.
   */
  async onUser(
    user: ModelUser | undefined,
    mode: Mode | "removal",
    work: (user: ModelUser) => Promise<void>,
  ): Promise<void> {
    if (user === undefined || this.users.get(user.id) !== user) return;
    const isRemoval = mode === "removal";
    const groupMode: Mode = isRemoval ? "alone" : "shared";
    const keysOf = (): Record<string, Mode> => ({
      [`user ${user.id}`]: isRemoval ? "alone" : mode,
      ...Object.fromEntries([...user.groups].map((id) => [`group ${id}`, groupMode])),
    });
    const keys = keysOf();
    await this.hold(keys, async () => {
      if (this.users.get(user.id) === user && Object.keys(keysOf()).every((key) => key in keys)) await work(user);
    });
  }

  /** The constraints of a user and of its groups, in the order of their ids. */
  heldBy(user: ModelUser): readonly ModelConstraint[] {
    return [...this.constraints.values()]
      .filter(({ owner }) => (owner.type === "user" ? owner.id === user.id : user.groups.has(owner.id)))
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

export function isAlive({ expiresAt }: Rule): boolean {
  return expiresAt === null || Date.parse(expiresAt) > Date.now();
}

export function isUnsure({ expiresAt }: Rule): boolean {
  return expiresAt !== null && Math.abs(Date.parse(expiresAt) - Date.now()) < UNSURE_MS;
}
