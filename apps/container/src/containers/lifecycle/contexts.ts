import type { Context } from "../context.ts";

/** What removing a stopped container uses. */
export type RemoveContext = Pick<
  Context,
  "registry" | "locks" | "supervisor" | "runtime" | "networks" | "ports" | "volumes" | "files" | "events" | "log"
>;

/** What bringing up a container's process uses. */
export type BringUpContext = Pick<
  Context,
  | "registry"
  | "locks"
  | "supervisor"
  | "health"
  | "runtime"
  | "networks"
  | "ports"
  | "volumes"
  | "files"
  | "events"
  | "clock"
  | "host"
  | "log"
  | "placeGroup"
>;

/** What a restart without a request uses: by a policy, or after a crash. It asks the policy about the owner. */
export type RestartContext = BringUpContext &
  RemoveContext &
  Pick<Context, "owners" | "images" | "storage" | "held" | "askOwner" | "actions">;

/** What a requested start uses: it asks the policy first. */
export type StartContext = BringUpContext & Pick<Context, "owners" | "images" | "storage" | "held">;
