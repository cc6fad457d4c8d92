import type { Clock } from "../../engine/clock.ts";
import type { ContainerId } from "../../engine/ids.ts";
import type { Log } from "../../engine/log.ts";
import { formatDuration } from "../../engine/moment.ts";
import type { Random } from "../../engine/random.ts";
import type { EventSink } from "../../events/events.ts";
import type { Networks } from "../../networks/networks.ts";
import { currentLinkEnvironment } from "../create/links.ts";
import type { Container } from "../records/container.ts";
import { containerEvent, execEvent } from "../records/container-event.ts";
import {
  afterProbe,
  type HealthCheck,
  healthCheckOf,
  isInStartPeriod,
  nextProbeMs,
  type Probe,
  STARTING,
} from "../records/health.ts";
import type { Registry } from "../records/registry.ts";
import type { ExecSession, Runtime } from "../records/runtime.ts";
import { execSpecOf } from "../spec/exec-spec.ts";

const KEPT_OUTPUT = 4096;

/** Each probe starts a process: users' come no faster, whatever their interval, so that they do not load the host. */
const SHORTEST_INTERVAL_MS = 1_000;

/** Reads the output of a probe; `text` is what came until now. */
function readOutput(session: ExecSession): { readonly done: Promise<void>; text(): string } {
  const chunks: Buffer[] = [];
  let length = 0;
  const read = async (): Promise<void> => {
    for await (const written of session.output)
      for (const { data } of written) {
        if (length < KEPT_OUTPUT) chunks.push(data.subarray(0, KEPT_OUTPUT - length));
        length += data.length;
      }
  };
  return {
    done: read(),
    // Postgres text cannot hold NUL.
    text: () => Buffer.concat(chunks).toString("utf8").replaceAll("\0", "\ufffd") + (length > KEPT_OUTPUT ? "..." : ""),
  };
}

interface Outside {
  readonly registry: Registry;
  readonly networks: Networks;
  readonly runtime: Pick<Runtime, "exec">;
  readonly events: EventSink;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Probes every running container that has a health check, until its process ends. */
export class HealthMonitor {
  readonly #outside: Outside;
  readonly #timers = new Map<ContainerId, NodeJS.Timeout>();

  constructor(outside: Outside) {
    this.#outside = outside;
  }

  /** Starts monitoring a container that just started, or resumes it for one that kept running. */
  async begin(container: Container): Promise<void> {
    const check = healthCheckOf(container.config);
    if (!check) return;
    if (!container.state.health)
      await this.#outside.registry.update(container.id, (before) => ({
        ...before,
        state: { ...before.state, health: STARTING },
      }));
    const { owner } = container;
    const shortest = owner === undefined ? 0 : SHORTEST_INTERVAL_MS;
    this.#later(container, {
      ...check,
      intervalMs: Math.max(check.intervalMs, shortest),
      startIntervalMs: Math.max(check.startIntervalMs, shortest),
    });
  }

  end(id: ContainerId): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #later({ id, state }: Container, check: HealthCheck): void {
    const timer = setTimeout(
      async () => {
        try {
          await this.#probe(id, check);
        } catch (fault) {
          this.#outside.log.warn({ container: id, err: fault }, "failed to record health probe");
        }
        const newest = this.#outside.registry.get(id);
        if (this.#timers.get(id) === timer && newest !== undefined) this.#later(newest, check);
      },
      nextProbeMs(check, state, this.#outside.clock.now()),
    );
    this.#timers.set(id, timer);
  }

  async #probe(id: ContainerId, check: HealthCheck): Promise<void> {
    const { registry, clock } = this.#outside;
    const container = registry.get(id);
    if (container?.state.status !== "running") return;
    const start = clock.now();
    const result = await this.#run(container, check);
    const probe: Probe = { ...result, start, end: clock.now() };
    const before = container.state.health ?? STARTING;
    const after = await registry.update(id, (newest) => ({
      ...newest,
      state:
        newest.state.status === "running"
          ? {
              ...newest.state,
              health: afterProbe(newest.state.health ?? STARTING, probe, check, {
                inStartPeriod: isInStartPeriod(check, container.state, start),
              }),
            }
          : newest.state,
    }));
    const status = after.state.health?.status;
    if (status !== before.status && status !== undefined)
      containerEvent(this.#outside, after, `health_status: ${status}`);
  }

  async #run(container: Container, check: HealthCheck): Promise<Pick<Probe, "exitCode" | "output">> {
    const { runtime, random } = this.#outside;
    const id = random.execId();
    const cmd = check.args;
    let timer: NodeJS.Timeout | undefined;
    try {
      execEvent(this.#outside, container, "create", { id, cmd });
      const request = { cmd, env: [], user: "", workingDir: "", tty: false, privileged: false, attachStdin: false };
      const links = currentLinkEnvironment(this.#outside, container);
      const session = await runtime.exec(container.id, id, execSpecOf(container, request, { links }));
      execEvent(this.#outside, container, "start", { id, cmd });
      session.exit.then(({ exitCode }) => execEvent(this.#outside, container, "die", { id, exitCode })).catch(() => {});
      const late = new Promise<"late">((resolve) => {
        timer = setTimeout(resolve, check.timeoutMs, "late");
      });
      const output = readOutput(session);
      const first = await Promise.race([Promise.all([session.exit, output.done]), late]);
      if (first !== "late") return { exitCode: first[0].exitCode, output: output.text() };
      await session.kill();
      const said = output.text();
      const message = `Health check exceeded timeout (${formatDuration(check.timeoutMs)})`;
      return { exitCode: -1, output: said === "" ? message : `${message}: ${said}` };
    } catch (fault) {
      return { exitCode: -1, output: fault instanceof Error ? fault.message : String(fault) };
    } finally {
      clearTimeout(timer);
    }
  }
}
