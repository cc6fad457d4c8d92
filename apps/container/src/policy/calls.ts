import type { Actor } from "../engine/actor.ts";
import { denied } from "./assert-allowed.ts";

/** The calls available to users. Calls that change shared objects (images, networks, the engine) are reserved for administrators. */
const OF_USERS: readonly (readonly [methods: string, path: RegExp])[] = [
  ["GET HEAD", /^\/_ping$/],
  ["GET", /^\/(version|info|events|system\/df)$/],
  ["POST", /^\/auth$/],
  ["GET HEAD POST PUT DELETE", /^\/containers\//],
  ["GET POST", /^\/exec\//],
  ["GET", /^\/(images|networks|distribution)(\/|$)/],
  ["POST", /^\/images\/create$/],
  ["POST", /^\/networks\/[^/]+\/(connect|disconnect)$/],
  ["GET", /^\/volumes(\/|$)/],
  // `docker inspect NAME` tries every kind of object; Berth has none of these.
  ["GET", /^\/(plugins|services|tasks|nodes|secrets|configs)(\/|$)/],
];

/** Whether the actor may make this call at all; other checks decide on its facts. `path` has no version segment. */
export function mayCall(actor: Actor, method: string, path: string): boolean {
  return (
    actor.kind === "administrator" ||
    OF_USERS.some(([methods, pattern]) => methods.split(" ").includes(method) && pattern.test(path))
  );
}

/** Throws `forbidden` unless {@link mayCall} allows the call. */
export function assertCallAllowed(actor: Actor, method: string, path: string): void {
  if (!mayCall(actor, method, path)) throw denied(`only an administrator may ${method} ${path}`);
}
