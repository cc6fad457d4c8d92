import type { ContainerState } from "./container.ts";
import type { Exit } from "./runtime.ts";

// The container states of moby's `container.State`; each transition is a pure function.

export const CREATED: ContainerState = {
  status: "created",
  pid: 0,
  exitCode: 0,
  error: "",
  oomKilled: false,
  startedAt: undefined,
  finishedAt: undefined,
};

function withoutHealth({ health: _, ...state }: ContainerState): ContainerState {
  return state;
}

export function started(state: ContainerState, task: { readonly pid: number; readonly at: string }): ContainerState {
  return {
    ...withoutHealth(state),
    status: "running",
    pid: task.pid,
    exitCode: 0,
    error: "",
    oomKilled: false,
    startedAt: task.at,
  };
}

/** A failed start keeps the status and records its exit code and error; no retry follows. */
export function startFailed(
  state: ContainerState,
  failure: { readonly exitCode: number; readonly error: string },
): ContainerState {
  return {
    ...state,
    status: state.status === "restarting" ? "exited" : state.status,
    pid: 0,
    exitCode: failure.exitCode,
    error: failure.error,
  };
}

export function exited(state: ContainerState, exit: Exit): ContainerState {
  return {
    ...state,
    status: "exited",
    pid: 0,
    exitCode: exit.exitCode,
    finishedAt: exit.exitedAt,
  };
}

/** Between an exit and the restart by policy. */
export function restarting(state: ContainerState, exit: Exit): ContainerState {
  return {
    ...exited(state, exit),
    status: "restarting",
  };
}

export function paused(state: ContainerState): ContainerState {
  return { ...state, status: "paused" };
}
export function resumed(state: ContainerState): ContainerState {
  return { ...state, status: "running" };
}

/** Whether the container ran or failed to start, has no process, and no restart is pending. */
export function isOver(state: ContainerState): boolean {
  return !isRunning(state) && state.status !== "restarting" && (state.startedAt !== undefined || state.error !== "");
}

/** Whether the container has a process. */
export function isRunning(state: ContainerState): boolean {
  return state.status === "running" || state.status === "paused";
}
