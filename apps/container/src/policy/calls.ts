import type { Actor } from "../engine/actor.ts";
import { denied } from "./assert-allowed.ts";

/**
 * The calls that a user may make at all: on its own containers, networks, volumes, builds and images, and reads. What changes shared
 * things (everyone's images, the engine) is an administrator's.
 */
const USER_CALLS: readonly (readonly [methods: string, path: RegExp])[] = [
  ["OPTIONS", /^/],
  ["GET HEAD", /^\/_ping$/],
  ["GET", /^\/(version|info|events|system\/df|berth\/ports|berth\/places)$/],
  ["GET POST", /^\/berth\/explain$/],
  // To give its own back.
  ["DELETE", /^\/berth\/places\/[^/]+$/],
  ["POST", /^\/auth$/],
  ["GET HEAD POST PUT DELETE", /^\/containers\//],
  ["GET POST", /^\/exec\//],
  ["GET", /^\/(images|distribution)(\/|$)/],
  ["POST", /^\/images\/create$/],
  ["GET POST DELETE", /^\/(networks|volumes)(\/|$)/],
  ["POST", /^\/build(\/(cancel|prune))?$/],
  // Whoever has a BuildKit.
  ["POST", /^\/(session|grpc)$/],
  // Names and images of its own; those of everyone are refused.
  ["POST", /^\/images\/(prune|.+\/(tag|push))$/],
  ["DELETE", /^\/images\/.+$/],
  // `docker inspect NAME` looks in every kind of thing in turn.
  ["GET", /^\/(plugins|services|tasks|nodes|secrets|configs)(\/|$)/],
];

/** Whether the actor may make this call; the facts of the request decide what it may do with it. `path` carries no version. */
export function mayCall(actor: Actor, method: string, path: string): boolean {
  return (
    actor.kind === "administrator" ||
    USER_CALLS.some(([methods, pattern]) => methods.split(" ").includes(method) && pattern.test(path))
  );
}

/** Throws `forbidden` unless {@link mayCall} allows the call. */
export function assertCallAllowed(actor: Actor, method: string, path: string): void {
  if (!mayCall(actor, method, path)) throw denied(`only an administrator may ${method} ${path}`);
}
