import type { CallOptions, Connection } from "./connection.ts";
import type { Any, Timestamp } from "./protos.ts";
import type { Mount } from "./snapshots.ts";

export interface TaskProcess {
  /** The container's id, for a task's first process. */
  readonly id: string;
  readonly containerId: string;
  readonly pid: number;
  readonly status: "UNKNOWN" | "CREATED" | "RUNNING" | "STOPPED" | "PAUSED" | "PAUSING";
  readonly terminal: boolean;
  readonly exitStatus: number;
  readonly exitedAt: Timestamp | null;
}

export interface TaskExit {
  readonly exitStatus: number;
  readonly exitedAt: Timestamp | null;
}

/** FIFO paths, or a URI that the shim knows (`binary://…`); "" is none. */
export interface TaskIo {
  readonly stdin: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly terminal: boolean;
}

/** The processes. `execId` names one that was added to a task; without it the task's first is meant. */
export interface TaskService {
  create(id: string, io: TaskIo, rootfs: readonly Mount[], options?: CallOptions): Promise<{ readonly pid: number }>;
  start(id: string, execId?: string): Promise<{ readonly pid: number }>;
  get(id: string, execId?: string): Promise<TaskProcess>;
  list(): Promise<readonly TaskProcess[]>;
  wait(id: string, options?: CallOptions & { readonly execId?: string }): Promise<TaskExit>;
  /** `conflict` while it runs. */
  delete(id: string): Promise<TaskExit>;
  deleteExec(id: string, execId: string): Promise<TaskExit>;
  kill(id: string, signal: number, options?: { readonly execId?: string; readonly all?: boolean }): Promise<void>;
  exec(id: string, execId: string, io: TaskIo, processSpec: Any): Promise<void>;
  resize(id: string, size: { readonly width: number; readonly height: number }, execId?: string): Promise<void>;
  /** Lets go of the shim's own writing end of the process's standard input. */
  closeStdin(id: string, execId?: string): Promise<void>;
  pause(id: string): Promise<void>;
  resume(id: string): Promise<void>;
  update(id: string, resources: Any): Promise<void>;
  pids(id: string): Promise<readonly number[]>;
  metrics(id: string): Promise<{ readonly timestamp: Timestamp | null; readonly data: Any } | undefined>;
}

const SERVICE = "tasks.v1.Tasks";

export function taskService(connection: Connection): TaskService {
  const call = <T>(method: string, containerId: string, request: object = {}, options?: CallOptions): Promise<T> =>
    connection.unary<T>(SERVICE, method, { containerId, ...request }, options);
  const order = async (method: string, containerId: string, request: object = {}): Promise<void> => {
    await call(method, containerId, request);
  };

  return {
    create: (id, io, rootfs, options) => call("Create", id, { ...io, rootfs }, options),
    start: (id, execId = "") => call("Start", id, { execId }),
    get: async (id, execId = "") => (await call<{ process: TaskProcess }>("Get", id, { execId })).process,
    list: async () => (await connection.unary<{ tasks: TaskProcess[] }>(SERVICE, "List", {})).tasks,
    wait: (id, { execId = "", ...options } = {}) => call("Wait", id, { execId }, options),
    delete: (id) => call("Delete", id),
    deleteExec: (id, execId) => call("DeleteProcess", id, { execId }),
    kill: (id, signal, { execId = "", all = false } = {}) => order("Kill", id, { execId, signal, all }),
    exec: (id, execId, io, spec) => order("Exec", id, { execId, ...io, spec }),
    resize: (id, size, execId = "") => order("ResizePty", id, { execId, ...size }),
    closeStdin: (id, execId = "") => order("CloseIO", id, { execId, stdin: true }),
    pause: (id) => order("Pause", id),
    resume: (id) => order("Resume", id),
    update: (id, resources) => order("Update", id, { resources }),
    pids: async (id) =>
      (await call<{ processes: readonly { readonly pid: number }[] }>("ListPids", id)).processes.map(({ pid }) => pid),
    metrics: async (id) => {
      const { metrics } = await connection.unary<{ metrics: { timestamp: Timestamp | null; data: Any }[] }>(
        SERVICE,
        "Metrics",
        { filters: [`id==${id}`] },
      );
      return metrics[0];
    },
  };
}
