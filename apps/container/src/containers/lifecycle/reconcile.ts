import { isEngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import type { Context } from "../context.ts";
import { undoCreate } from "../create/create.ts";
import type { Container, ContainerState } from "../records/container.ts";
import { startsAtBoot } from "../records/restart-policy.ts";
import type { RuntimeContainer } from "../records/runtime.ts";
import { exited, isOver, isRunning, paused, resumed, started } from "../records/state.ts";
import type { Intent, StoredContainer } from "../records/store.ts";
import { finishRemoval, removeStopped } from "./remove.ts";
import { bringUp, publishAddress, releaseHost } from "./start.ts";
import { endProcess } from "./stop.ts";

const SIGKILL = 9;

/** What the rows and the runtime together ask for, one verdict a container: data first, effects after. */
export type Verdict =
  | { readonly kind: "undo-create" | "lost" | "rest" }
  | { readonly kind: "finish-remove"; readonly volumes: boolean }
  | { readonly kind: "hear-exit"; readonly neverBegan: boolean }
  | { readonly kind: "adopt"; readonly pid: number; readonly paused: boolean; readonly finish: Ending | undefined };

/** What ends a process that was left running. */
type Ending = Exclude<Intent, { readonly kind: "create" | "start" }>;

/** Pure: the row, what was under way when it was written, and the task as the runtime has it. */
export function verdictOn(container: Container, intent: Intent | undefined, task: RuntimeContainer["task"]): Verdict {
  if (intent?.kind === "create") return { kind: "undo-create" };
  if (task?.status === "running" || task?.status === "paused") {
    const finish = intent === undefined || intent.kind === "start" ? undefined : intent;
    return { kind: "adopt", pid: task.pid, paused: task.status === "paused", finish };
  }
  if (intent?.kind === "remove") return { kind: "finish-remove", volumes: intent.volumes };
  // The process ended while nobody watched, or never began: the runtime still has its exit.
  if (task) return { kind: "hear-exit", neverBegan: task.status === "created" };
  return isRunning(container.state) || intent?.kind === "start" ? { kind: "lost" } : { kind: "rest" };
}

function endIsKnown({ runtime }: Context, id: ContainerId): Promise<boolean> {
  return runtime.wait(id).then(
    () => true,
    (thrown) => {
      if (isEngineError(thrown, "not-found")) return false;
      throw thrown;
    },
  );
}

function adopt(
  context: Context,
  container: Container,
  verdict: Verdict & { readonly kind: "adopt" },
): Promise<Container> {
  return context.registry.update(
    container.id,
    (before) => {
      const state = isRunning(before.state)
        ? { ...before.state, pid: verdict.pid }
        : started(before.state, { pid: verdict.pid, at: context.clock.now() });
      return { ...before, state: verdict.paused ? paused(state) : resumed(state) };
    },
    verdict.finish ?? "done",
  );
}

/** The state of a container whose process is gone, and nobody knows how it ended. */
function unheard({ clock }: Context, { state }: Container): ContainerState {
  return isRunning(state) ? exited(state, { exitCode: 255, exitedAt: clock.now() }) : { ...state, pid: 0 };
}

async function logged(context: Context, id: ContainerId, what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (fault) {
    context.log.error({ container: id, err: fault }, what);
  }
}

/**
 * Makes the world agree with the rows after a start of ours: held ports first, since others could take them, then sandboxes, then
 * every container by its verdict. Running containers go on untouched. Then the restart policies start what they ask for.
 */
export async function reconcile(context: Context, stored: readonly StoredContainer[]): Promise<void> {
  const { registry, runtime, networks, ports, supervisor, log } = context;
  const tasks = new Map((await runtime.list()).map(({ id, task }) => [id, task]));
  const verdicts = stored.map(({ container, intent }) => ({
    container,
    verdict: verdictOn(container, intent, tasks.get(container.id)),
  }));
  const running = verdicts.filter(({ verdict }) => verdict.kind === "adopt");

  await networks.recover(new Set(running.map(({ container }) => container.id)));
  await ports.recover(
    new Map(
      running.map(({ container: { id } }) => {
        const sandbox = networks.sandboxOf(id);
        return [id, { address: sandbox && publishAddress(context, sandbox) }];
      }),
    ),
  );

  const wereRunning = new Set<ContainerId>();
  for (const { container, verdict } of verdicts) {
    const { id } = container;
    await logged(context, id, "a container could not be reconciled", async () => {
      switch (verdict.kind) {
        case "undo-create":
          return undoCreate(context, container);
        case "finish-remove":
          await registry.update(id, (before) => ({ ...before, state: unheard(context, before) }));
          return removeStopped(context, id, verdict);
        case "adopt": {
          const adopted = await adopt(context, container, verdict);
          supervisor.watch(id);
          await context.health.begin(adopted);
          const { finish } = verdict;
          if (finish !== undefined)
            void logged(context, id, `a ${finish.kind} could not be finished`, () =>
              finish.kind === "remove" ? finishRemoval(context, adopted, finish) : endProcess(context, adopted, finish),
            );
          return;
        }
        case "hear-exit":
          if (verdict.neverBegan) await runtime.kill(id, SIGKILL);
          supervisor.watch(id);
          return;
        case "lost":
          // The runtime may have cleared the task away already, and yet know how it ended.
          if (isRunning(container.state) && (await endIsKnown(context, id))) {
            supervisor.watch(id);
            return;
          }
          await releaseHost(context, id);
          await registry.update(
            id,
            (before) => ({ ...before, state: unheard(context, before) }),
            registry.intentOf(id)?.kind === "restart" ? undefined : "done",
          );
          wereRunning.add(id);
          return;
        case "rest":
          return;
      }
    });
  }
  const known = new Set(stored.map(({ container }) => container.id));
  for (const id of tasks.keys()) {
    // Nothing is guessed of a container whose row is gone: an administrator decides.
    if (!known.has(id)) log.warn({ container: id }, "the runtime holds a container that the database does not know");
  }
  await bootRestarts(context, wereRunning);
}

async function bootRestarts(context: Context, wereRunning: ReadonlySet<ContainerId>): Promise<void> {
  for (const { id, state, hostConfig, stoppedByUser } of context.registry.all()) {
    if (isRunning(state) || state.status === "removing") continue;
    const restarts = context.registry.intentOf(id)?.kind === "restart";
    // Its end may have been written down, and its removal not.
    if (hostConfig.AutoRemove && isOver(state) && !restarts) {
      await logged(context, id, "a container that ended could not be removed", () =>
        removeStopped(context, id, { volumes: true }),
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
      await logged(context, id, "a container could not be started at boot", () =>
        context.locks.hold(id, () => bringUp(context, id)),
      );
    }
  }
}
