import { createHash } from "node:crypto";
import {
  type Baseline,
  type ConstraintId,
  type EffectiveConstraints,
  effectiveConstraints,
  type GroupId,
  type OwnedConstraint,
  type Owner,
  parseConstraint,
  type UnreadableConstraint,
  type UserId,
} from "@berth/directory-domain";
import { z } from "zod";
import { EngineError } from "../errors.ts";
import type { Actor } from "./actor.ts";

/** Asks the directory whose token it is; undefined where it is nobody's. Throws `unavailable` where it cannot be asked. */
export type WhoseToken = (token: string) => Promise<Actor | undefined>;

const id = z.int().positive();

const me = z.object({
  id,
  login: z.string(),
  role: z.enum(["user", "operator", "admin"]),
  active: z.boolean(),
  scopes: z.array(z.string()),
});

const owner = z.discriminatedUnion("type", [
  z.object({ type: z.literal("user"), id: id.transform((value) => value as UserId) }),
  z.object({ type: z.literal("group"), id: id.transform((value) => value as GroupId) }),
]);

const constraint = z.looseObject({
  id: id.transform((value) => value as ConstraintId),
  owner,
  kind: z.string(),
  expiresAt: z.string().nullish(),
});

/** The baseline is the directory's own configuration in the domain's own form. */
const held = z.object({
  baseline: z.custom<Baseline>((value) => typeof value === "object" && value !== null),
  constraints: z.array(constraint),
  unreadable: z.array(constraint),
});

/** What the directory knows and this service does not is unreadable here, and refuses. */
const gathered = (person: z.infer<typeof me>, answer: z.infer<typeof held>, at: string): EffectiveConstraints => {
  const constraints: OwnedConstraint[] = [];
  const unreadable: UnreadableConstraint[] = answer.unreadable.map(({ id, owner, kind }) => ({
    id,
    owner: owner as Owner,
    kind,
  }));
  for (const { id, owner, kind, expiresAt, ...rest } of answer.constraints) {
    const parsed = parseConstraint({ kind, ...rest });
    if (parsed.ok) constraints.push({ ...parsed.value, id, owner, expiresAt: expiresAt ?? null });
    else unreadable.push({ id, owner, kind });
  }
  const subject = { id: person.id as UserId, login: person.login, role: person.role, active: person.active };
  return effectiveConstraints({ subject, constraints, unreadable, baseline: answer.baseline, at });
};

/** No decision outlives a change in the directory by more than this. */
const freshForMs = 1_000;
const patienceMs = 2_000;
const mostKept = 10_000;

const unavailable = (cause: unknown): EngineError =>
  new EngineError("unavailable", "the directory cannot be reached, so nobody can be let in: try again later", {
    cause,
  });

/**
 * Asks the directory at `url` for the holder of a token and what holds for it, with that very token, and remembers the answer for
 * a second. Fails closed: what cannot be asked or understood lets nobody in.
 */
export const createWhoseToken = (url: string, now: () => number = () => performance.now()): WhoseToken => {
  const known = new Map<string, { readonly until: number; readonly actor: Promise<Actor | undefined> }>();

  const ask = async <T>(path: string, token: string, shape: z.ZodType<T>): Promise<T | undefined> => {
    try {
      const response = await fetch(new URL(path, url), {
        headers: { authorization: `Bearer ${token}` },
        redirect: "error",
        signal: AbortSignal.timeout(patienceMs),
      });
      const body: unknown = await response.json();
      if (response.status === 401 || response.status === 403) return undefined;
      if (!response.ok) throw new Error(`the directory answered ${response.status}`);
      return shape.parse(body);
    } catch (cause) {
      throw unavailable(cause);
    }
  };

  const identify = async (token: string): Promise<Actor | undefined> => {
    const person = await ask("/api/me", token, me);
    if (!person?.active || !person.scopes.includes("engine")) return undefined;
    if (person.role === "admin") return { kind: "administrator", id: String(person.id), login: person.login };
    const answer = await ask(`/api/users/${person.id}/effective-constraints`, token, held);
    if (!answer) return undefined;
    return {
      kind: "user",
      id: String(person.id),
      login: person.login,
      effective: gathered(person, answer, new Date().toISOString()),
    };
  };

  return (token) => {
    // The token itself is not kept.
    const key = createHash("sha256").update(token).digest("base64");
    const time = now();
    const remembered = known.get(key);
    if (remembered && remembered.until > time) return remembered.actor;
    if (known.size >= mostKept) known.clear();
    const actor = identify(token);
    known.set(key, { until: time + freshForMs, actor });
    actor.catch(() => known.delete(key));
    return actor;
  };
};
