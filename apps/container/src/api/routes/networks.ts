import type { Hono } from "hono";
import { z } from "zod";
import { networkEvent } from "../../containers/records/network-event.ts";
import { EngineError } from "../../engine/errors.ts";
import { noFilters, parseFilters } from "../../engine/filters.ts";
import type { Network } from "../../networks/networks.ts";
import { assertNetworkAllowed } from "../../policy/networks.ts";
import { connectBody, disconnectBody, networkBody, requireLocal } from "../decode/network-body.ts";
import { parseQuery, text, truth } from "../decode/query.ts";
import { networkShape } from "../encode/network-shapes.ts";
import { readJson } from "../go-json/json-body.ts";
import type { Deps, Edge, EdgeContext } from "../http/edge.ts";
import { SINCE } from "../versions/changes.ts";

const filtersQuery = z.object({ filters: text() });
const inspectQuery = z.object({ scope: text(), verbose: truth() });

function requireContainer(ref: string): string {
  if (ref === "") throw new EngineError("invalid", 'invalid name or ID supplied: ""');
  return ref;
}

function alone(network: Network) {
  return networkShape(network, new Map(), () => undefined);
}

/** Networks and their members. */
export function networkRoutes(app: Hono<Edge>, { networks, members, containers, events }: Deps): void {
  /** Includes the network's containers that the actor may see. */
  const withContainers = async (context: EdgeContext) => {
    const seen = await containers.list(context.get("actor"), {
      all: true,
      limit: undefined,
      size: false,
      filters: noFilters,
    });
    const names = new Map(seen.map(({ container }) => [container.id, container.name]));
    return (network: Network) => networkShape(network, networks.endpointsOn(network.id), (id) => names.get(id));
  };

  app.get("/networks", async (context) => {
    const filters = parseFilters(parseQuery(filtersQuery, context.req.query()).filters);
    const shape = context.get("version") < SINCE.networkListWithoutContainers ? await withContainers(context) : alone;
    return context.json(networks.list(filters, context.get("actor")).map(shape));
  });

  app.post("/networks/create", async (context) => {
    const { elsewhere, ...body } = await readJson(context, networkBody);
    const enableIPv4 = body.enableIPv4 || context.get("version") < SINCE.networksWithoutIPv4;
    const request = { ...body, enableIPv4 };
    if (request.name === "") throw new EngineError("invalid", "invalid name: name is empty");
    requireLocal(elsewhere);
    const actor = context.get("actor");
    context.set("actedOn", { name: request.name, owner: actor.id });
    const { id, warning } = await networks.create(request, {
      viewer: actor,
      authorize: (held) => assertNetworkAllowed(actor, request, held),
    });
    networkEvent({ events }, networks.get(id, actor), "create");
    return context.json({ Id: id, Warning: warning }, 201);
  });

  app.post("/networks/prune", async (context) => {
    const filters = parseFilters(parseQuery(filtersQuery, context.req.query()).filters);
    const deleted = await networks.prune(filters, context.get("actor"));
    for (const network of deleted) networkEvent({ events }, network, "destroy");
    return context.json({ NetworksDeleted: deleted.length === 0 ? null : deleted.map(({ name }) => name) });
  });

  // `OWNER/NAME` has a slash.
  app.get("/networks/:id{.+}", async (context) => {
    const { scope } = parseQuery(inspectQuery, context.req.query());
    const ref = context.req.param("id");
    const network = networks.get(ref, context.get("actor"));
    if (scope !== "" && scope !== "local") throw new EngineError("not-found", `network ${ref} not found`);
    const shape = await withContainers(context);
    return context.json(shape(network));
  });

  app.delete("/networks/:id{.+}", async (context) => {
    const actor = context.get("actor");
    const network = networks.get(context.req.param("id"), actor);
    await networks.remove(network.id, actor);
    networkEvent({ events }, network, "destroy");
    return context.body(null, 204);
  });

  app.post("/networks/:id{.+}/connect", async (context) => {
    const { Container, EndpointConfig } = await readJson(context, connectBody);
    const ref = requireContainer(Container);
    await members.connect(context.get("actor"), context.req.param("id"), ref, EndpointConfig ?? {});
    return context.body(null, 200);
  });

  app.post("/networks/:id{.+}/disconnect", async (context) => {
    const { Container, Force } = await readJson(context, disconnectBody);
    const ref = requireContainer(Container);
    await members.disconnect(context.get("actor"), context.req.param("id"), ref, { force: Force });
    return context.body(null, 200);
  });
}
