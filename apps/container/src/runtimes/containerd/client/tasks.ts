import { type CallOptions, type Connection, NoAnswer, present } from "./connection.ts";
import type { Patience } from "./patience.ts";
import { type Any, encodeJson, type RequestOf, type ResponseOf } from "./protos.ts";
import type { Mount } from "./snapshots.ts";

const SERVICE = "tasks.v1.Tasks";
const RESOURCES_TYPE = "types.containerd.io/opencontainers/runtime-spec/1/LinuxResources";

type Process = NonNullable<ResponseOf<typeof SERVICE, "Get">["process"]>;
/** A process by the state that its shim gives it; its `id` is the container's for a task's first. */
export type TaskProcess = Process & { readonly status: Exclude<Process["status"], "UNKNOWN"> };
export type Metric = ResponseOf<typeof SERVICE, "Metrics">["metrics"][number];
export type TaskExit = ResponseOf<typeof SERVICE, "Wait">;

/** FIFO paths, or a URI that the shim knows (`binary://…`); "" is none. */
export interface TaskIo {
  readonly stdin: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly terminal: boolean;
}

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
type Request<M extends Method> = Omit<RequestOf<typeof SERVICE, M>, "containerId">;

/**
 * The processes. `execId` names one that was added to a task; without it the task's first is meant. Every call but `wait` has a
 * time limit, and fails as `unavailable` where containerd, the shim or runc does not answer in it.
 */
export class TaskService {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get patience(): Patience {
    return this.#connection.patience;
  }

  create(id: string, io: TaskIo, rootfs: readonly Mount[], options?: CallOptions): Promise<{ readonly pid: number }> {
    return this.#call("Create", id, { ...io, rootfs }, options);
  }

  start(id: string, execId = ""): Promise<{ readonly pid: number }> {
    return this.#call("Start", id, { execId });
  }

  async get(
    id: string,
    { execId = "", ...options }: CallOptions & { readonly execId?: string } = {},
  ): Promise<TaskProcess> {
    const process = present((await this.#call("Get", id, { execId }, options)).process, "the process");
    if (!isKnown(process)) throw new NoAnswer(`container ${id}: its shim does not answer`);
    return process;
  }

  /** What does not answer has pid 0. Each shim that does not answer delays this by two seconds: for tests, which have few. */
  async list(): Promise<readonly Process[]> {
    return (await this.#connection.unary(SERVICE, "List", {})).tasks;
  }

  wait(
    id: string,
    { execId = "", ...options }: Pick<CallOptions, "signal"> & { readonly execId?: string } = {},
  ): Promise<TaskExit> {
    return this.#call("Wait", id, { execId }, options);
  }

  /** `conflict` while it runs. */
  delete(id: string): Promise<TaskExit> {
    return this.#call("Delete", id, {});
  }

  deleteExec(id: string, execId: string): Promise<TaskExit> {
    return this.#call("DeleteProcess", id, { execId });
  }

  async kill(
    id: string,
    signal: number,
    { execId = "", all = false, ...options }: CallOptions & { readonly execId?: string; readonly all?: boolean } = {},
  ): Promise<void> {
    await this.#call("Kill", id, { execId, signal, all }, options);
  }

  async exec(id: string, execId: string, io: TaskIo, spec: Any): Promise<void> {
    await this.#call("Exec", id, { execId, ...io, spec });
  }

  async resize(id: string, size: { readonly width: number; readonly height: number }, execId = ""): Promise<void> {
    await this.#call("ResizePty", id, { execId, ...size });
  }

  /** Closes the shim's own writing end of the process's standard input. */
  async closeStdin(id: string, execId = ""): Promise<void> {
    await this.#call("CloseIO", id, { execId, stdin: true });
  }

  async pause(id: string): Promise<void> {
    await this.#call("Pause", id, {});
  }

  async resume(id: string, options?: CallOptions): Promise<void> {
    await this.#call("Resume", id, {}, options);
  }

  /** @param resources the OCI spec's `linux.resources`. */
  async update(id: string, resources: object): Promise<void> {
    await this.#call("Update", id, { resources: encodeJson(RESOURCES_TYPE, resources) });
  }

  async pids(id: string): Promise<readonly number[]> {
    return (await this.#call("ListPids", id, {})).processes.map(({ pid }) => pid);
  }

  async metrics(id: string): Promise<Metric | undefined> {
    return (await this.#call("Metrics", id, { filters: [`id==${id}`] })).metrics[0];
  }

  async #call<M extends Method>(method: M, containerId: string, request: Request<M>, options?: CallOptions) {
    const limited = { timeoutMs: this.patience(TIMEOUTS_MS[method]), ...options };
    try {
      return await this.#connection.unary(
        SERVICE,
        method,
        { containerId, ...request } as RequestOf<typeof SERVICE, M>,
        limited,
      );
    } catch (thrown) {
      if (thrown instanceof NoAnswer) thrown.message = `container ${containerId}: ${thrown.message}`;
      throw thrown;
    }
  }
}

function isKnown(process: Process): process is TaskProcess {
  return process.status !== "UNKNOWN";
}
