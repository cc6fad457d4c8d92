import type { Actor } from "../engine/actor.ts";
import { createTurns, inPieces } from "../engine/concurrency/turns.ts";
import { EngineError } from "../engine/errors.ts";
import type { ContainerId } from "../engine/ids.ts";
import type { Containers, ContainerView } from "./containers.ts";
import type { Context } from "./context.ts";
import { createContainer } from "./create/create.ts";
import { explainContainer } from "./create/explain.ts";
import { assertAttachAllowed, attachContainer, containerLogs } from "./exec/attach.ts";
import { Execs } from "./exec/execs.ts";
import { type ProcessList, topContainer } from "./exec/top.ts";
import { enforce } from "./lifecycle/enforce.ts";
import { handleExit } from "./lifecycle/exit.ts";
import { HealthMonitor } from "./lifecycle/health-monitor.ts";
import { pauseContainer, unpauseContainer } from "./lifecycle/pause.ts";
import { pruneContainers } from "./lifecycle/prune.ts";
import { removeAfterFailedStart, removeContainer } from "./lifecycle/remove.ts";
import { renameContainer } from "./lifecycle/rename.ts";
import { startContainer } from "./lifecycle/start.ts";
import { endProcess, killContainer, restartContainer, stopContainer } from "./lifecycle/stop.ts";
import { Supervisor } from "./lifecycle/supervisor.ts";
import { updateContainer } from "./lifecycle/update.ts";
import { waitContainer } from "./lifecycle/wait.ts";
import { watchRuntime } from "./lifecycle/watch-runtime.ts";
import { parseLink } from "./records/links.ts";
import { listContainers } from "./records/list.ts";
import { isRunning } from "./records/state.ts";
import { findEachOnce, named, sizeOf, viewOf, withManifest } from "./records/view.ts";

const SHUTDOWN_SECONDS = 3;

/** Shared by all lists of containers. */
const takeTurn = createTurns();

/** The use cases as one value, plus what the reconciler needs. */
export function createContainers(
  outside: Omit<Context, "supervisor" | "health">,
  processList: ProcessList,
): {
  readonly containers: Containers;
  readonly context: Context;
  /** Records from now on which containers were out of memory, and which hang. Call it once they are reconciled, which clears errors. */
  watch(): void;
  /** Ends every running container, as a shutdown of the host does. Restart policies start them again at the next boot. */
  stopAll(): Promise<void>;
  /** Stops watching; the containers keep running. */
  close(): Promise<void>;
} {
  /** Containers under an explicit restart or shutdown: their exit triggers neither a restart policy nor `--rm`. */
  const policyExempt = new Set<ContainerId>();
  const removing = new Set<ContainerId>();
  const supervisor = new Supervisor(outside.runtime, {
    exit: (id, exit) => {
      execs.forgetWaitingOf(id);
      context.health.end(id);
      return handleExit(context, policyExempt, id, exit);
    },
    fault: (id, fault) => outside.log.error({ container: id, err: fault }, "failed to watch container"),
  });
  const context: Context = { ...outside, supervisor, health: new HealthMonitor(outside) };
  const execs = new Execs(context);
  const { registry, runtime } = context;
  const closing = new AbortController();
  let watching: Promise<void> | undefined;
  const view = (container: Parameters<typeof viewOf>[2]) => viewOf(context, execs, container);

  const sized = async (found: ContainerView, size: boolean): Promise<ContainerView> =>
    size ? { ...found, size: await sizeOf(context, found.container) } : found;

  const orRemoved = async <T>(actor: Actor, ref: string, starting: Promise<T>): Promise<T> => {
    try {
      return await starting;
    } catch (thrown) {
      await removeAfterFailedStart(context, actor, ref);
      throw thrown;
    }
  };

  const containers: Containers = {
    create: (actor, request) => createContainer(context, actor, request),
    explain: (actor, request) => explainContainer(context, actor, request),
    start: (actor, ref, options) => orRemoved(actor, ref, startContainer(context, actor, ref, options)),
    stop: (actor, ref, options) => stopContainer(context, actor, ref, options),
    restart: (actor, ref, options) =>
      orRemoved(actor, ref, restartContainer(context, policyExempt, actor, ref, options)),
    kill: (actor, ref, signal) => killContainer(context, actor, ref, signal),
    pause: (actor, ref) => pauseContainer(context, actor, ref),
    unpause: (actor, ref) => unpauseContainer(context, actor, ref),
    rename: (actor, ref, name) => renameContainer(context, actor, ref, name),
    update: (actor, ref, change) => updateContainer(context, actor, ref, change),
    remove: (actor, ref, options) => removeContainer(context, removing, actor, ref, options),
    unlink: async (actor, ref) => {
      const [, name, alias] = /^\/?(.+)\/([^/]+)$/.exec(ref) ?? [];
      const container = registry.resolve(actor, name ?? ref);
      if (alias === undefined)
        throw new EngineError("conflict", "Conflict, cannot remove the default link name of the container");
      const kept = (container.hostConfig.Links ?? []).filter((link) => parseLink(link).alias !== alias);
      await registry.update(container.id, (before) => ({
        ...before,
        hostConfig: { ...before.hostConfig, Links: kept.length > 0 ? kept : null },
      }));
    },
    prune: (actor, filters) => pruneContainers(context, actor, filters),
    wait: (actor, ref, condition) => waitContainer(context, actor, ref, condition),
    get: async (actor, ref, { size = false } = {}) =>
      sized(await withManifest(context.images, view(registry.resolve(actor, ref))), size),
    list: async (actor, query) => {
      const linking = registry.linking();
      const images = findEachOnce(context.images);
      const views = listContainers(
        registry.visible(actor),
        query,
        (container) => viewOf(context, execs, container, linking),
        (ref) => registry.resolve(actor, ref),
      );
      return await inPieces(views, takeTurn, async (found) =>
        sized(await withManifest(images, await named(images, found)), query.size),
      );
    },
    logs: (actor, ref, options) => containerLogs(context, actor, ref, options),
    attach: (actor, ref, options) => attachContainer(context, actor, ref, options),
    resize: async (actor, ref, size) => {
      const { id, state } = registry.resolve(actor, ref);
      if (!isRunning(state)) throw new EngineError("conflict", `container ${id} is not running`);
      await runtime.resize(id, size);
    },
    stats: async (actor, ref) => {
      const container = registry.resolve(actor, ref);
      return {
        view: view(container),
        stats: isRunning(container.state) ? await runtime.stats(container.id) : undefined,
      };
    },
    top: (actor, ref, psArgs) => topContainer(context, processList, actor, ref, psArgs),
    createExec: (actor, ref, request) => execs.create(actor, ref, request),
    startExec: async (actor, execId, options) => execs.start(actor, execId, options),
    getExec: async (actor, execId) => execs.get(actor, execId),
    resizeExec: (actor, execId, size) => execs.resize(actor, execId, size),
    actedOn: (actor, kind, ref) => {
      try {
        const found = registry.resolve(actor, kind === "exec" ? execs.get(actor, ref).containerId : ref);
        const { id, name, owner, image } = found;
        return { id, name, owner, image };
      } catch {
        // The request itself says what is wrong with the reference.
        return undefined;
      }
    },
    assertMayAttach: (actor, ref) => assertAttachAllowed(context, actor, registry.resolve(actor, ref)),
    assertMayExec: (actor, execId) => execs.assertStillAllowed(actor, execId),
    enforce: (options) => enforce(context, options),
    countIn: (owner) => registry.all().filter((container) => container.owner === owner).length,
    counts: (actor) => {
      const states = registry.visible(actor).map(({ state }) => state.status);
      const running = states.filter((status) => status === "running" || status === "restarting").length;
      const pausedCount = states.filter((status) => status === "paused").length;
      return { total: states.length, running, paused: pausedCount, stopped: states.length - running - pausedCount };
    },
  };
  return {
    containers,
    context,
    watch: () => {
      watching ??= watchRuntime(context, closing.signal);
    },
    stopAll: async () => {
      const running = registry.all().filter(({ state }) => isRunning(state));
      for (const { id } of running) policyExempt.add(id);
      await Promise.all(
        running.map((container) => endProcess(context, container, { timeoutSeconds: SHUTDOWN_SECONDS })),
      );
    },
    close: async () => {
      context.health.close();
      closing.abort();
      await Promise.all([supervisor.close(), watching]);
      registry.close();
    },
  };
}
