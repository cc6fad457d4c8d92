import { createHash } from "node:crypto";
import { type Bearer, bearerOf, DirectoryUnavailable } from "@berth/directory-client";
import { EngineError } from "../errors.ts";
import type { Actor } from "./actor.ts";

/** Asks the directory whose token it is; undefined where it is nobody's. Throws `unavailable` where it cannot be asked. */
export type WhoseToken = (token: string) => Promise<Actor | undefined>;

/** No decision outlives a change in the directory by more than this. */
const freshForMs = 1_000;
const mostKept = 10_000;

const actorOf = ({ caller, effective }: Bearer): Actor | undefined => {
  if (!caller.active || !caller.scopes.includes("engine")) return undefined;
  const who = { id: String(caller.id), login: caller.login };
  return caller.role === "admin" ? { kind: "administrator", ...who } : { kind: "user", ...who, effective };
};

/**
 * Asks the directory at `url` for the holder of a token and what holds for it, and remembers the answer for a second. Fails closed:
 * what cannot be asked or understood lets nobody in.
 */
export const createWhoseToken = (url: string, now: () => number = () => performance.now()): WhoseToken => {
  const known = new Map<string, { readonly until: number; readonly actor: Promise<Actor | undefined> }>();

  const ask = async (token: string): Promise<Actor | undefined> => {
    try {
      const bearer = await bearerOf({ url }, token);
      return bearer && actorOf(bearer);
    } catch (cause) {
      if (!(cause instanceof DirectoryUnavailable)) throw cause;
      throw new EngineError(
        "unavailable",
        "the directory cannot be reached, so nobody can be let in: try again later",
        {
          cause,
        },
      );
    }
  };

  return (token) => {
    // The token itself is not kept.
    const key = createHash("sha256").update(token).digest("base64");
    const time = now();
    const remembered = known.get(key);
    if (remembered && remembered.until > time) return remembered.actor;
    if (known.size >= mostKept) known.clear();
    const actor = ask(token);
    known.set(key, { until: time + freshForMs, actor });
    actor.catch(() => known.delete(key));
    return actor;
  };
};
