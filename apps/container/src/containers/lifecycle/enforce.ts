import { ownAction } from "../../engine/action.ts";
import { HOST_ADMINISTRATOR } from "../../engine/actor.ts";
import { EngineError, isEngineError } from "../../engine/errors.ts";
import { userOf } from "../../engine/owners.ts";
import type { EnforceOptions, Violation } from "../containers.ts";
import type { Context } from "../context.ts";
import { authorizeBeside } from "../create/authorize.ts";
import { resolveBinds } from "../create/bind-sources.ts";
import type { Container } from "../records/container.ts";
import { isRunning } from "../records/state.ts";
import { stopContainer } from "./stop.ts";

type EnforceContext = Pick<
  Context,
  | "registry"
  | "locks"
  | "supervisor"
  | "runtime"
  | "images"
  | "networks"
  | "volumes"
  | "files"
  | "events"
  | "host"
  | "askOwner"
  | "actions"
  | "log"
>;

interface Finding {
  readonly container: Container;
  readonly violation: Omit<Violation, "outcome">;
}

/**
 * Decides anew on every running container that has an owner, as a start would, and stops those that are no longer permitted. Of containers
 * that exceed a quota together, those stay that started first; stopped ones count for nothing. The use of storage is the storage
 * guard's to judge.
 *
 * @returns what is not permitted, with the reason. Throws `unavailable` if the directory cannot be asked, with nothing stopped.
 */
export async function enforce(
  context: EnforceContext,
  { owner, apply }: EnforceOptions,
): Promise<readonly Violation[]> {
  const byOwner = new Map<string, Container[]>();
  for (const container of context.registry.all()) {
    if (container.owner === undefined || !isRunning(container.state)) continue;
    if (owner === undefined || userOf(container.owner) === owner)
      byOwner.set(container.owner, [...(byOwner.get(container.owner) ?? []), container]);
  }
  const found: Finding[] = [];
  for (const [each, running] of byOwner) found.push(...(await findingsOn(context, each, running)));
  if (apply === "dry-run") return found.map(({ violation }) => ({ ...violation, outcome: "would-stop" }));
  return await Promise.all(found.map((finding) => stop(context, finding)));
}

async function findingsOn(
  context: EnforceContext,
  owner: string,
  running: readonly Container[],
): Promise<readonly Finding[]> {
  const finding = ({ id, name }: Container, login: string | undefined, reason: string) => ({
    id,
    name,
    owner,
    login,
    reason,
  });
  const actor = await context.askOwner(owner).catch((thrown: unknown) => {
    if (isEngineError(thrown, "forbidden")) return thrown;
    throw thrown;
  });
  if (actor === undefined)
    throw new EngineError(
      "unavailable",
      "this service has no directory token to ask about users: restart the directory, which makes one, or set BERTH_DIRECTORY_TOKEN_FILE",
    );
  if (actor instanceof EngineError)
    return running.map((container) => ({ container, violation: finding(container, undefined, actor.message) }));
  if (actor.kind === "administrator") return [];
  const kept: Container[] = [];
  const findings: Finding[] = [];
  const startedAt = ({ state }: Container) => state.startedAt ?? "";
  for (const container of running.toSorted((one, other) => (startedAt(one) < startedAt(other) ? -1 : 1))) {
    try {
      const mounts = await resolveBinds(context, actor, container.mounts);
      // Of a shared quota the owner's own containers count alone: that others fill it is not this owner's doing.
      await authorizeBeside(context, actor, { ...container, mounts }, { others: kept, rest: kept, storage: 0 });
      kept.push(container);
    } catch (thrown) {
      if (!isEngineError(thrown, "forbidden")) throw thrown;
      findings.push({ container, violation: finding(container, actor.login, thrown.message) });
    }
  }
  return findings;
}

async function stop(context: EnforceContext, { container, violation }: Finding): Promise<Violation> {
  try {
    context.log.warn({ ...violation }, "stopping a container that is no longer permitted");
    await stopContainer(context, HOST_ADMINISTRATOR, container.id, {});
    const { reason } = violation;
    context.actions.record(ownAction("container.stop", container, { outcome: "done", reason }));
    return { ...violation, outcome: "stopped" };
  } catch (thrown) {
    if (!isEngineError(thrown)) throw thrown;
    return { ...violation, outcome: "failed", error: thrown.message };
  }
}
