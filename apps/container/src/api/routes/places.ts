import { formatPortRange } from "@berth/port-spec";
import type { Hono } from "hono";
import type { Actor } from "../../engine/actor.ts";
import { EngineError } from "../../engine/errors.ts";
import { userOf } from "../../engine/owners.ts";
import type { Place } from "../../places/place.ts";
import { extensionBody, placeBody } from "../decode/place-body.ts";
import { requireJson } from "../go-json/json-body.ts";
import type { Deps, Edge } from "../http/edge.ts";

/**
 * `GET /berth/places`: the places of this host; to a user its own. `POST /berth/places` and `POST /berth/places/{id}/extend`, for
 * administrators. `DELETE /berth/places/{id}` gives a place back, for its user too, and answers once nothing of it is left.
 */
export function placeRoutes(app: Hono<Edge>, { places, containers }: Deps): void {
  const visible = (actor: Actor) => places.all().filter((place) => isOf(place, actor));

  app.get("/berth/places", (context) => {
    const actor = context.get("actor");
    const shown = visible(actor).toSorted((one, other) => one.id.localeCompare(other.id));
    return context.json(shown.map((place) => ({ ...placeShape(place), containers: containers.countIn(place.id) })));
  });

  app.post("/berth/places", async (context) => {
    const request = await requireJson(context, placeBody);
    context.set("actedOn", { name: request.name, owner: request.user });
    return context.json(placeShape(await places.take(request)), 201);
  });

  app.post("/berth/places/:id/extend", async (context) => {
    const { seconds } = await requireJson(context, extensionBody);
    const place = named(visible(context.get("actor")), context.req.param("id"));
    context.set("actedOn", { name: place.name, owner: place.user });
    return context.json(placeShape(await places.extend(place.id, seconds)));
  });

  app.delete("/berth/places/:id", async (context) => {
    const place = named(visible(context.get("actor")), context.req.param("id"));
    context.set("actedOn", { name: place.name, owner: place.user });
    await places.give(place.id);
    return context.body(null, 204);
  });
}

function isOf({ user }: Place, actor: Actor): boolean {
  return actor.kind === "administrator" || userOf(actor.id) === user;
}

function named(places: readonly Place[], id: string): Place {
  const place = places.find((one) => one.id === id);
  if (place === undefined) throw new EngineError("not-found", `No such place: ${id}`);
  return place;
}

function placeShape({ id, name, user, login, size, ports, state, since, until }: Place) {
  return {
    ...{ id, name, user: { id: user, login }, memory: size.memory, cpus: size.cpu, pids: size.pids },
    ports: ports.map(({ protocol, ...range }) => `${formatPortRange(range)}/${protocol}`),
    ...{ state, since, until: until ?? null },
  };
}
