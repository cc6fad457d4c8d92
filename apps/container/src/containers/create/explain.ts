import type { Actor } from "../../engine/actor.ts";
import { isEngineError } from "../../engine/errors.ts";
import { decideContainer, type PortRights } from "../../policy/containers.ts";
import { assertVolumeOptionsAllowed } from "../../policy/mounts.ts";
import type { Context } from "../context.ts";
import { hostPorts } from "../ports/port-target.ts";
import type { CreateRequest } from "../records/config.ts";
import type { Explanation } from "../records/explanation.ts";
import { type AuthorizeContext, beside, factsBeside, inFull } from "./authorize.ts";
import { checked, imageOf, type PlanContext, planFor } from "./create.ts";
import type { NormalisedCreate } from "./normalise.ts";
import type { CreatePlan, PlanInputs } from "./plan.ts";

type ExplainContext = AuthorizeContext & PlanContext & Pick<Context, "ports">;

/**
 * Decides on a container as `create` and `start` would, beside everything that there is, and says who has its ports. It makes nothing, and
 * nothing counts. An image that is not here is decided on by its name. Throws `invalid` where `create` would.
 */
export async function explainContainer(
  context: ExplainContext,
  actor: Actor,
  request: CreateRequest,
): Promise<Explanation> {
  const normalised = checked(context, request);
  const { image, missing } = await imageOrName(context, actor, normalised);
  const planned = await planFor(context, actor, normalised, image);
  const warnings = [...planned.warnings, ...missing];
  const nothing = { decision: undefined, refusal: undefined, ports: [], conflict: undefined, warnings };
  if (actor.kind === "administrator") return { ...nothing, ...(await foreseen(context, actor, planned)) };
  try {
    for (const wish of planned.wishes) if (wish.kind === "volume") assertVolumeOptionsAllowed(actor, wish.options);
    const { container } = planned;
    const facts = await factsBeside(context, actor, container, beside(context, actor, container));
    const { decision, rights } = decideContainer(actor, facts);
    if (!decision.allowed) return { ...nothing, decision };
    return { ...nothing, decision, ...(await foreseen(context, actor, planned, rights)) };
  } catch (thrown) {
    if (!isEngineError(thrown, "forbidden")) throw thrown;
    return { ...nothing, refusal: thrown.message };
  }
}

async function foreseen(
  context: Pick<Context, "ports" | "networks">,
  actor: Actor,
  { container }: CreatePlan,
  rights: PortRights | Record<string, never> = {},
): Promise<Partial<Explanation>> {
  const { id: containerId, name: containerName, ports: wanted } = container;
  try {
    const wished = hostPorts(context, container, wanted.wishes);
    return {
      ports: await context.ports.foresee({ containerId, containerName, owner: actor.id, ...wished, ...rights }),
    };
  } catch (thrown) {
    if (!isEngineError(thrown, "failed")) throw thrown;
    return { conflict: thrown.message };
  }
}

/** The image, or what stands for one that nobody has pulled yet. */
async function imageOrName(context: PlanContext, actor: Actor, request: NormalisedCreate) {
  const { Image } = request.config;
  try {
    return { image: await imageOf(context, actor, request), missing: [] };
  } catch (thrown) {
    if (!isEngineError(thrown, "not-found")) throw thrown;
    // Any command will do: the image's own is not known.
    const config = { Cmd: ["true"] };
    const image: PlanInputs["image"] = { id: inFull(Image), layers: "", config, repoTags: [], repoDigests: [] };
    return { image, missing: [`${Image} is not on this host: the ports and volumes that it declares are not counted`] };
  }
}
