import { isEngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import type { Context } from "../context.ts";
import { undoCreate } from "../create/create.ts";
import { portTarget } from "../ports/port-target.ts";
import type { Container, ContainerState } from "../records/container.ts";
import { startsAtBoot } from "../records/restart-policy.ts";
import type { RuntimeContainer } from "../records/runtime.ts";
import { SIGKILL } from "../records/signals.ts";
import { exited, isOver, isRunning, paused, resumed, started } from "../records/state.ts";
import type { Intent, StoredContainer } from "../records/store.ts";
import type { RestartContext } from "./contexts.ts";
import { releaseInAnyCase } from "./host-resources.ts";
import { finishLeaving } from "./leave-network.ts";
import { logged } from "./logged.ts";
import { endPauseOfCommit } from "./pause.ts";
import { finishRemoval, removeStopped } from "./remove.ts";
import { bringUpAgain } from "./restart-by-policy.ts";
import { endProcess } from "./stop.ts";

/** The action that brings one container's row and its task in the runtime into agreement. */
export type Verdict =
  | { readonly kind: "undo-create" | "lost" | "rest" }
  | { readonly kind: "finish-remove"; readonly volumes: boolean }
  | { readonly kind: "hear-exit"; readonly neverBegan: boolean }
  | {
      readonly kind: "adopt";
      readonly pid: number;
      readonly paused: boolean;
      /** What is left to do while it runs. */
      readonly finish: Unfinished | undefined;
    };

/** The intents that are finished on a process which was left running. */
type Unfinished = Exclude<Intent, { readonly kind: "create" | "start" }>;

/** Pure: derives the verdict from the row, the intent recorded with it, and the task that the runtime reports. */
export function verdictOn(container: Container, intent: Intent | undefined, task: RuntimeContainer["task"]): Verdict {
  if (intent?.kind === "create") return { kind: "undo-create" };
  const finish = intent === undefined || intent.kind === "start" ? undefined : intent;
  // The pause that a commit asked for may come at any moment.
  const isPausing = intent?.kind === "commit";
  if (task?.status === "running" || task?.status === "paused")
    return { kind: "adopt", pid: task.pid, paused: task.status === "paused" || isPausing, finish };
  // The task may still run, so trust the row.
  if (task?.status === "unknown") {
    const { pid, status } = container.state;
    return { kind: "adopt", pid, paused: status === "paused" || isPausing, finish };
  }
  if (intent?.kind === "remove") return { kind: "finish-remove", volumes: intent.volumes };
  // The process ended unobserved or never started; the runtime still holds its exit.
  if (task) return { kind: "hear-exit", neverBegan: task.status === "created" };
  return isRunning(container.state) || intent?.kind === "start" ? { kind: "lost" } : { kind: "rest" };
}

function endIsKnown({ runtime }: Pick<Context, "runtime">, id: ContainerId): Promise<boolean> {
  return runtime.wait(id).then(
    () => true,
    (thrown) => {
      if (isEngineError(thrown, "not-found")) return false;
      throw thrown;
    },
  );
}

/** Records the process that runs, where the record does not say so already: after a crash of the service most do. */
async function adopt(
  { registry, clock }: Pick<Context, "registry" | "clock">,
  container: Container,
  verdict: Verdict & { readonly kind: "adopt" },
): Promise<Container> {
  const { id, state } = container;
  const { pid, finish } = verdict;
  const running = isRunning(state) ? { ...state, pid, error: "" } : started(state, { pid, at: clock.now() });
  const now = verdict.paused ? paused(running) : resumed(running);
  const isRecorded = now.status === state.status && now.pid === state.pid && now.error === state.error;
  if (isRecorded && finish === undefined && registry.intentOf(id) === undefined) return container;
  return await registry.observe(id, (before) => ({ ...before, state: now }), finish ?? "done");
}

/** The state of a container whose process ended with an unknown exit code. */
function unheard({ clock }: Pick<Context, "clock">, { state }: Container): ContainerState {
  return isRunning(state) ? exited(state, { exitCode: 255, exitedAt: clock.now() }) : { ...state, pid: 0 };
}

/** How long one container may delay the start of the service; slower work continues in the background. */
const PATIENCE_MS = 5_000;

async function patiently(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([work, enough]).finally(() => clearTimeout(timer));
}

function finishOn(context: RestartContext, container: Container, finish: Unfinished): Promise<void> {
  switch (finish.kind) {
    case "remove":
      return finishRemoval(context, container, finish);
    case "leave":
      return finishLeaving(context, container.id, finish.network);
    case "commit":
      return endPauseOfCommit(context, container.id);
    case "stop":
    case "restart":
      return endProcess(context, container, finish);
  }
}

/** Executes the verdict. Adds containers whose process is gone to `wereRunning`. */
async function carryOut(
  context: RestartContext,
  container: Container,
  verdict: Verdict,
  wereRunning: Set<ContainerId>,
): Promise<void> {
  const { registry, runtime, supervisor } = context;
  const { id } = container;
  switch (verdict.kind) {
    case "undo-create":
      return undoCreate(context, container);
    case "finish-remove":
      await registry.observe(id, (before) => ({ ...before, state: unheard(context, before) }));
      return removeStopped(context, id, verdict);
    case "adopt": {
      const adopted = await adopt(context, container, verdict);
      supervisor.watch(id);
      await context.health.begin(adopted);
      const { finish } = verdict;
      if (finish !== undefined)
        void logged(context, id, `failed to finish a ${finish.kind}`, () => finishOn(context, adopted, finish));
      return;
    }
    case "hear-exit":
      if (verdict.neverBegan) await runtime.kill(id, SIGKILL);
      supervisor.watch(id);
      return;
    case "lost":
      // The runtime may have removed the task already and still know its exit.
      if (isRunning(container.state) && (await endIsKnown(context, id))) {
        supervisor.watch(id);
        return;
      }
      await releaseInAnyCase(context, id);
      await registry.observe(
        id,
        (before) => ({ ...before, state: unheard(context, before) }),
        registry.intentOf(id)?.kind === "restart" ? undefined : "done",
      );
      wereRunning.add(id);
      return;
    case "rest":
      return;
  }
}

/**
 * Brings the host into agreement with the rows when the service starts: held ports first, since other programs could take them, then
 * sandboxes, then each container by its verdict, then restart policies. Running containers are not touched. A container whose runtime
 * does not answer delays neither the others nor the service.
 */
export async function reconcile(context: RestartContext, stored: readonly StoredContainer[]): Promise<void> {
  const { runtime, networks, ports, log } = context;
  const tasks = new Map((await runtime.list()).map(({ id, task }) => [id, task]));
  const verdicts = stored.map(({ container, intent }) => ({
    container,
    verdict: verdictOn(container, intent, tasks.get(container.id)),
  }));
  const running = verdicts.filter(({ verdict }) => verdict.kind === "adopt");

  await networks.recover(new Set(running.map(({ container }) => container.id)));
  await ports.recover(
    new Map(
      running.map(({ container }) => {
        const sandbox = networks.sandboxOf(container.id);
        return [container.id, sandbox && portTarget(context, container, sandbox)];
      }),
    ),
  );

  const wereRunning = new Set<ContainerId>();
  await Promise.all(
    verdicts.map(({ container, verdict }) =>
      patiently(
        logged(context, container.id, "failed to reconcile a container", () =>
          carryOut(context, container, verdict, wereRunning),
        ),
      ),
    ),
  );
  const known = new Set(stored.map(({ container }) => container.id));
  for (const id of tasks.keys()) {
    // A container without a row is left to an administrator.
    if (!known.has(id)) log.warn({ container: id }, "found a container in the runtime that the database does not know");
  }
  await bootRestarts(context, wereRunning);
}

async function bootRestarts(context: RestartContext, wereRunning: ReadonlySet<ContainerId>): Promise<void> {
  for (const { id, state, hostConfig, stoppedByUser } of context.registry.all()) {
    if (isRunning(state) || state.status === "removing") continue;
    const restarts = context.registry.intentOf(id)?.kind === "restart";
    // A crash may have separated the recorded exit from the removal.
    if (hostConfig.AutoRemove && isOver(state) && !restarts) {
      await patiently(
        logged(context, id, "failed to remove a container that ended", () =>
          removeStopped(context, id, { volumes: true }),
        ),
      );
    } else if (
      restarts ||
      (state.startedAt !== undefined &&
        startsAtBoot(hostConfig.RestartPolicy, {
          exitCode: state.exitCode,
          stoppedByUser,
          wasRunning: wereRunning.has(id) || state.status === "restarting",
        }))
    ) {
      await patiently(
        logged(context, id, "failed to start a container at boot", () =>
          context.locks.hold(id, async () => {
            // Its exit may have been heard while others were started, and started it again.
            const now = context.registry.get(id);
            if (now === undefined || isRunning(now.state)) return;
            context.supervisor.callOffRestart(id);
            await bringUpAgain(context, id);
          }),
        ),
      );
    }
  }
}
