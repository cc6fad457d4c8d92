import { type CallOptions, type Connection, NoAnswer } from "./connection.ts";
import type { Any, Timestamp } from "./protos.ts";
import type { Mount } from "./snapshots.ts";

export interface TaskProcess {
  /** The container's id, for a task's first process. */
  readonly id: string;
  readonly containerId: string;
  readonly pid: number;
  readonly status: "CREATED" | "RUNNING" | "STOPPED" | "PAUSED" | "PAUSING";
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

/**
 * The processes. `execId` names one that was added to a task; without it the task's first is meant. Every call but `wait` has a
 * time limit, and fails as `unavailable` where containerd, the shim or runc does not answer in it.
 */
export interface TaskService {
  create(id: string, io: TaskIo, rootfs: readonly Mount[], options?: CallOptions): Promise<{ readonly pid: number }>;
  start(id: string, execId?: string): Promise<{ readonly pid: number }>;
  get(id: string, options?: CallOptions): Promise<TaskProcess>;
  /** What does not answer has pid 0. Each shim that does not answer delays this by two seconds: for tests, which have few. */
  list(): Promise<readonly TaskProcess[]>;
  wait(id: string, options?: Pick<CallOptions, "signal"> & { readonly execId?: string }): Promise<TaskExit>;
  /** `conflict` while it runs. */
  delete(id: string): Promise<TaskExit>;
  deleteExec(id: string, execId: string): Promise<TaskExit>;
  kill(
    id: string,
    signal: number,
    options?: CallOptions & { readonly execId?: string; readonly all?: boolean },
  ): Promise<void>;
  exec(id: string, execId: string, io: TaskIo, processSpec: Any): Promise<void>;
  resize(id: string, size: { readonly width: number; readonly height: number }, execId?: string): Promise<void>;
  /** Closes the shim's own writing end of the process's standard input. */
  closeStdin(id: string, execId?: string): Promise<void>;
  pause(id: string): Promise<void>;
  resume(id: string, options?: CallOptions): Promise<void>;
  update(id: string, resources: Any): Promise<void>;
  pids(id: string): Promise<readonly number[]>;
  metrics(id: string): Promise<{ readonly timestamp: Timestamp | null; readonly data: Any } | undefined>;
}

const SERVICE = "tasks.v1.Tasks";

/** What runc has to do takes longest; the rest is answered by the shim alone. */
const TIMEOUTS_MS = {
  Create: 60_000,
  Start: 20_000,
  Exec: 20_000,
  Delete: 20_000,
  DeleteProcess: 20_000,
  Kill: 10_000,
  Pause: 10_000,
  Resume: 10_000,
  Update: 10_000,
  ListPids: 10_000,
  Metrics: 10_000,
  ResizePty: 10_000,
  CloseIO: 10_000,
  Get: 5_000,
  Wait: Number.POSITIVE_INFINITY,
} as const;

type Method = keyof typeof TIMEOUTS_MS;

export function taskService(connection: Connection): TaskService {
  const call = async <T>(method: Method, containerId: string, request: object = {}, options?: CallOptions) => {
    const limited = { timeoutMs: TIMEOUTS_MS[method], ...options };
    try {
      return await connection.unary<T>(SERVICE, method, { containerId, ...request }, limited);
    } catch (thrown) {
      if (thrown instanceof NoAnswer) thrown.message = `container ${containerId}: ${thrown.message}`;
      throw thrown;
    }
  };
  const order = async (method: Method, containerId: string, request: object = {}, options?: CallOptions) => {
    await call(method, containerId, request, options);
  };

  return {
    create: (id, io, rootfs, options) => call("Create", id, { ...io, rootfs }, options),
    start: (id, execId = "") => call("Start", id, { execId }),
    get: async (id, options) => {
      type Answer = { readonly process: TaskProcess | (Omit<TaskProcess, "status"> & { readonly status: "UNKNOWN" }) };
      const { process } = await call<Answer>("Get", id, { execId: "" }, options);
      if (process.status === "UNKNOWN") throw new NoAnswer(`container ${id}: its shim does not answer`);
      return process;
    },
    list: async () => (await connection.unary<{ tasks: TaskProcess[] }>(SERVICE, "List", {})).tasks,
    wait: (id, { execId = "", ...options } = {}) => call("Wait", id, { execId }, options),
    delete: (id) => call("Delete", id),
    deleteExec: (id, execId) => call("DeleteProcess", id, { execId }),
    kill: (id, signal, { execId = "", all = false, ...options } = {}) =>
      order("Kill", id, { execId, signal, all }, options),
    exec: (id, execId, io, spec) => order("Exec", id, { execId, ...io, spec }),
    resize: (id, size, execId = "") => order("ResizePty", id, { execId, ...size }),
    closeStdin: (id, execId = "") => order("CloseIO", id, { execId, stdin: true }),
    pause: (id) => order("Pause", id),
    resume: (id, options) => order("Resume", id, {}, options),
    update: (id, resources) => order("Update", id, { resources }),
    pids: async (id) =>
      (await call<{ processes: readonly { readonly pid: number }[] }>("ListPids", id)).processes.map(({ pid }) => pid),
    metrics: async (id) => {
      type Metrics = { readonly metrics: readonly { readonly timestamp: Timestamp | null; readonly data: Any }[] };
      return (await call<Metrics>("Metrics", id, { filters: [`id==${id}`] })).metrics[0];
    },
  };
}
