import type { ContainerState } from "./container.ts";
import type { Exit } from "./runtime.ts";

// The states of a container as moby's `container.State` has them, each transition a pure function.

export const created: ContainerState = {
  status: "created",
  pid: 0,
  exitCode: 0,
  error: "",
  oomKilled: false,
  startedAt: undefined,
  finishedAt: undefined,
};

const withoutHealth = ({ health: _, ...state }: ContainerState): ContainerState => state;

export const started = (
  state: ContainerState,
  task: { readonly pid: number; readonly at: string },
): ContainerState => ({
  ...withoutHealth(state),
  status: "running",
  pid: task.pid,
  exitCode: 0,
  error: "",
  oomKilled: false,
  startedAt: task.at,
});

/** A start that failed leaves the status as it was, with the code and the words of the failure; no other follows by itself. */
export const startFailed = (
  state: ContainerState,
  failure: { readonly exitCode: number; readonly error: string },
): ContainerState => ({
  ...state,
  status: state.status === "restarting" ? "exited" : state.status,
  pid: 0,
  exitCode: failure.exitCode,
  error: failure.error,
});

export const exited = (state: ContainerState, exit: Exit): ContainerState => ({
  ...state,
  status: "exited",
  pid: 0,
  exitCode: exit.exitCode,
  finishedAt: exit.exitedAt,
});

/** Between an exit and the restart that the policy asks for. */
export const restarting = (state: ContainerState, exit: Exit): ContainerState => ({
  ...exited(state, exit),
  status: "restarting",
});

export const paused = (state: ContainerState): ContainerState => ({ ...state, status: "paused" });
export const resumed = (state: ContainerState): ContainerState => ({ ...state, status: "running" });

/** Whether the container ran, or could not be started, and has no process now, nor will by itself. */
export const isOver = (state: ContainerState): boolean =>
  !isRunning(state) && state.status !== "restarting" && (state.startedAt !== undefined || state.error !== "");

/** Whether a process of the container exists now. */
export const isRunning = (state: ContainerState): boolean => state.status === "running" || state.status === "paused";
