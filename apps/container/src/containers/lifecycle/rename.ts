import type { Actor } from "../../engine/actor.ts";
import { EngineError, isEngineError } from "../../engine/errors.ts";
import { viewerOf } from "../../engine/owners.ts";
import type { Context } from "../context.ts";
import type { Container } from "../records/container.ts";
import { containerEvent } from "../records/container-event.ts";
import { formatLink, parseLink } from "../records/links.ts";
import { containerName } from "../records/names.ts";

/** Runs `work` with moby's words before the reason why a name cannot be had (`daemon/rename.go`). */
async function allocating<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!isEngineError(thrown, "invalid") && !isEngineError(thrown, "conflict")) throw thrown;
    throw new EngineError(thrown.kind, `Error when allocating new name: ${thrown.message}`, { cause: thrown });
  }
}

/** The containers whose links lead to the container or begin at it, with their links after it has the new name. */
function relinked({ registry }: Pick<Context, "registry">, container: Container, name: string) {
  return registry.all().flatMap((one) => {
    const links = one.hostConfig.Links ?? [];
    const own = one.id === container.id ? name : one.name;
    const renamed = links.map((link) => {
      const { ref, alias } = parseLink(link);
      const target = registry.find(viewerOf(one.owner), ref);
      return formatLink({ ref: target?.id === container.id ? `/${name}` : ref, alias }, own);
    });
    return renamed.join() === links.join() ? [] : [{ id: one.id, links: renamed }];
  });
}

async function take(
  { locks, registry, networks, ports }: Pick<Context, "locks" | "registry" | "networks" | "ports">,
  container: Container,
  name: string,
): Promise<void> {
  // A start in progress takes its sandbox and its ports by the old name, and has to learn the new one.
  await locks.hold(container.id, async () => {
    const changed = relinked({ registry }, container, name);
    await registry.rename(container.id, name);
    for (const { id, links } of changed)
      await registry.update(id, (before) => ({ ...before, hostConfig: { ...before.hostConfig, Links: links } }));
    networks.rename(container.id, name);
    ports.rename(container.id, name);
  });
}

/**
 * `POST /containers/{id}/rename`. Throws `not-found`, `invalid` for a malformed or unchanged name, and `conflict` for a taken one, in
 * moby's words.
 */
export async function renameContainer(
  context: Pick<Context, "locks" | "registry" | "networks" | "ports" | "events">,
  actor: Actor,
  ref: string,
  newName: string,
): Promise<void> {
  if (newName === "") throw new EngineError("invalid", "Neither old nor new names may be empty");
  const container = context.registry.resolve(actor, ref);
  const name = await allocating(() => containerName(`/${newName.replace(/^\//, "")}`));
  if (name === container.name)
    throw new EngineError("invalid", "Renaming a container with the same name as its current name");
  await allocating(() => take(context, container, name));
  containerEvent(context, { ...container, name }, "rename", { oldName: `/${container.name}` });
}
