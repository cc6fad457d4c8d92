import type { Actor } from "../engine/actor.ts";

/**
 * What a user may call at all: its own containers, and reading. What changes things that all share — images, networks, volumes,
 * the engine — is an administrator's. Paths carry no version.
 */
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
  // `docker inspect NAME` asks after every kind of thing in turn; these kinds there are none of.
  ["GET", /^\/(plugins|services|tasks|nodes|secrets|configs)(\/|$)/],
];

/** Whether the actor may make this call; what it may do with it is decided on the facts. */
export function mayCall(actor: Actor, method: string, path: string): boolean {
  return (
    actor.kind === "administrator" ||
    OF_USERS.some(([methods, pattern]) => methods.split(" ").includes(method) && pattern.test(path))
  );
}
