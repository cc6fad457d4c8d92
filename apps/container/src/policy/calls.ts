import type { Actor } from "../engine/actor.ts";
import { denied } from "./assert-allowed.ts";

/** The calls that a user may make at all. What changes shared things (images, networks, the engine) is an administrator's. */
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
  // `docker inspect NAME` asks for every kind of object in turn; Berth has none of these kinds.
  ["GET", /^\/(plugins|services|tasks|nodes|secrets|configs)(\/|$)/],
];

/** Whether the actor may make this call; what it may do with it is decided on the facts. `path` carries no version. */
export function mayCall(actor: Actor, method: string, path: string): boolean {
  return (
    actor.kind === "administrator" ||
    OF_USERS.some(([methods, pattern]) => methods.split(" ").includes(method) && pattern.test(path))
  );
}

/** Throws `forbidden` unless the actor {@link mayCall}. */
export function assertCallAllowed(actor: Actor, method: string, path: string): void {
  if (!mayCall(actor, method, path)) throw denied(`only an administrator may ${method} ${path}`);
}
