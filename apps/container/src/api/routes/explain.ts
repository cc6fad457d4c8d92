import { type Check, explain } from "@berth/directory-domain";
import { formatPortSpec, parsePortSpec, toEngine } from "@berth/port-spec";
import type { Hono } from "hono";
import { z } from "zod";
import type { CreateRequest } from "../../containers/records/config.ts";
import type { Explanation } from "../../containers/records/explanation.ts";
import type { Actor } from "../../engine/actor.ts";
import { EngineError } from "../../engine/errors.ts";
import { userOf } from "../../engine/owners.ts";
import { denied } from "../../policy/assert-allowed.ts";
import { decodeCreateBody } from "../decode/create-body.ts";
import { parseQuery, text } from "../decode/query.ts";
import { parseJson, requireJson } from "../go-json/json-body.ts";
import type { Deps, Edge, EdgeContext } from "../http/edge.ts";
import { liftCreate } from "../versions/create-lifts.ts";

const explainQuery = z.object({
  user: text(),
  place: text(),
  create: text(),
  image: text(),
  name: text(),
  platform: text(),
});

/**
 * `POST /berth/explain` with the body of a create, or `GET /berth/explain` with it as JSON in `create`, or with `image` and any number of
 * `publish`: whether the container could be created and started now, which constraints refuse, and what would pass. It changes nothing. * `user` is a login, for administrators; by default it is about who asks. `place` names a place of that user, which `/places/NAME` before the
 * path does, too.
 */
export function explainRoutes(app: Hono<Edge>, { containers, whoseLogin, places }: Deps): void {
  const explained = async (context: EdgeContext, body: unknown) => {
    const sender = context.get("actor");
    const { user, place } = parseQuery(explainQuery, context.req.query());
    const { request, warnings } = requestOf(context, body);
    const subject = await subjectOf(sender, user, whoseLogin);
    const about = place === "" ? subject : places.enter(subject, place);
    const found = await containers.explain(about, request);
    return context.json(shapeOf(about, { ...found, warnings: [...found.warnings, ...warnings] }));
  };
  app.get("/berth/explain", (context) => explained(context, wishOf(context)));
  app.post("/berth/explain", async (context) => explained(context, await requireJson(context, z.unknown())));
}

async function subjectOf(sender: Actor, login: string, whoseLogin: Deps["whoseLogin"]): Promise<Actor> {
  if (login === "" || login === sender.login) return sender;
  if (sender.kind !== "administrator") throw denied("only an administrator may ask about other users");
  return await whoseLogin(login);
}

/** The body of a create that the query describes. Throws `invalid`. */
function wishOf(context: EdgeContext): unknown {
  const { create, image } = parseQuery(explainQuery, context.req.query());
  const published = context.req.queries("publish") ?? [];
  const isPlain = image !== "" || published.length > 0;
  if ((create !== "") === isPlain)
    throw new EngineError("invalid", "give either create, the body of a create as JSON, or image and publish");
  if (create !== "") return parseJson(Buffer.from(create));
  const specs = published.map((spec) => {
    const parsed = parsePortSpec(spec);
    if (!parsed.ok) throw new EngineError("invalid", `query parameter publish: ${spec}: ${parsed.error.message}`);
    return parsed.value;
  });
  const { ExposedPorts, PortBindings } = toEngine(specs);
  return { Image: image, ExposedPorts, HostConfig: { PortBindings } };
}

function requestOf(
  context: EdgeContext,
  body: unknown,
): { readonly request: CreateRequest; readonly warnings: readonly string[] } {
  const { name, platform } = parseQuery(explainQuery, context.req.query());
  return liftCreate(context.get("version"), {
    ...decodeCreateBody(body),
    name: name === "" ? undefined : name,
    platform: platform === "" ? undefined : platform,
  });
}

/** As the directory shows a decision, with what only the host knows: its ports and its images. */
function shapeOf(about: Actor, found: Explanation) {
  const { kind, id, login } = about;
  const { decision, refusal, ports, conflict, warnings } = found;
  const isRefused = refusal !== undefined || decision?.allowed === false;
  return {
    decision: isRefused ? "refuse" : "allow",
    message: refusal ?? (decision === undefined ? "" : explain(decision)),
    subject: { id: id === undefined ? null : userOf(id), login },
    place: (kind === "user" ? about.place?.name : undefined) ?? null,
    bypass: kind === "administrator" ? "administrator" : null,
    checks: (decision?.checks ?? []).map(checkShape),
    ports: ports.map(({ hostIp, hostPort, containerPort, protocol }) =>
      formatPortSpec({ hostIp, host: one(hostPort), container: one(containerPort), protocol }),
    ),
    conflict: conflict ?? null,
    warnings,
  };
}

function one(port: number) {
  return { start: port, end: port };
}

function checkShape({ kind, item, refusals, passing, remedy }: Check) {
  const outcome = refusals.length === 0 ? "allow" : "refuse";
  return { kind, item, outcome, refusals, passing, remedy };
}
