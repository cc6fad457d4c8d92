import { z } from "@hono/zod-openapi";
import { REPORT_SCOPE } from "../accounts/records.ts";
import { DirectoryError } from "../errors/directory-error.ts";
import type { Fleet } from "../fleet/fleet.ts";
import { hearHost } from "../fleet/hear-host.ts";
import { drainHost, forgetHost } from "../fleet/hosts.ts";
import type { FleetPlace } from "../fleet/place.ts";
import { extendPlace, givePlace, placesFor } from "../fleet/places.ts";
import { takePlace } from "../fleet/take-place.ts";
import { accepted, jsonAnswer, noContent } from "../http/answer.ts";
import type { Endpoints } from "../http/endpoint.ts";
import {
  fleetHostPatchSchema,
  fleetHostSchema,
  newPlaceSchema,
  placeExtensionSchema,
  placeSchema,
  placesReportSchema,
  showFleetHost,
  showPlace,
  showWanted,
  wantedPlacesSchema,
} from "../http/schemas/fleet.ts";
import { requireHostName } from "./hosts.ts";
import type { Services } from "./services.ts";

const TAG = "Fleet";
/** Room for the most places. */
const MAX_REPORT_BYTES = 4 * 1024 * 1024;

export function fleetRoutes(endpoints: Endpoints, services: Services & { readonly fleet: Fleet }): void {
  placeRoutes(endpoints, services);
  fleetHostRoutes(endpoints, services);
}

function placeRoutes(endpoints: Endpoints, { fleet, records }: Services & { readonly fleet: Fleet }): void {
  const show = async (places: readonly FleetPlace[]) => {
    const [logins, hosts] = await Promise.all([
      records.users.logins([...new Set(places.map(({ userId }) => userId))]),
      fleet.ledger.hosts(),
    ]);
    return places.map((place) => showPlace(place, logins, hosts));
  };

  endpoints.add(
    {
      method: "get",
      path: "/api/fleet/places",
      operationId: "listPlaces",
      tag: TAG,
      summary: "List the places of the fleet; users see their own",
      access: "signed-in",
      scopes: ["read", "engine"],
      answers: { 200: { description: "The places", schema: z.array(placeSchema) } },
    },
    async ({ actor }) => jsonAnswer(await show(await placesFor(fleet, actor))),
  );

  endpoints.add(
    {
      method: "post",
      path: "/api/fleet/places",
      operationId: "takePlace",
      tag: TAG,
      summary: "Take a share of a host, for yourself or as administrator for userId",
      access: "signed-in",
      scopes: ["write", "engine"],
      body: newPlaceSchema,
      answers: { 201: { description: "The place; `wanted` where its host has not answered yet", schema: placeSchema } },
      refuses: ["not-found", "conflict"],
    },
    async ({ actor, body }) => {
      const { userId = actor.userId, memory, cpus, pids, host, seconds, ...rest } = body;
      const wish = { ...rest, userId, size: { memory, cpu: cpus, pids }, host, seconds };
      const [shown] = await show([await takePlace(fleet, actor, wish)]);
      return jsonAnswer(shown, { status: 201 });
    },
  );

  endpoints.add(
    {
      method: "post",
      path: "/api/fleet/places/{id}/extend",
      operationId: "extendPlace",
      tag: TAG,
      summary: "Let a place last so many seconds from now",
      access: "signed-in",
      scopes: ["write", "engine"],
      body: placeExtensionSchema,
      answers: { 200: { description: "The place", schema: placeSchema } },
      refuses: ["not-found", "conflict"],
    },
    async ({ actor, id, body }) => {
      const [shown] = await show([await extendPlace(fleet, actor, id, body.seconds)]);
      return jsonAnswer(shown);
    },
  );

  endpoints.add(
    {
      method: "delete",
      path: "/api/fleet/places/{id}",
      operationId: "givePlace",
      tag: TAG,
      summary: "Give a place back: its host stops and removes everything in it, then its room is free",
      access: "signed-in",
      scopes: ["write", "engine"],
      answers: {
        202: { description: "Its host is still ending it" },
        204: { description: "Nothing of it is left" },
      },
      refuses: ["not-found"],
    },
    async ({ actor, id }) => ((await givePlace(fleet, actor, id)) === "ended" ? noContent() : accepted()),
  );
}

function fleetHostRoutes(endpoints: Endpoints, { fleet }: Services & { readonly fleet: Fleet }): void {
  endpoints.add(
    {
      method: "get",
      path: "/api/fleet/hosts",
      operationId: "listFleetHosts",
      tag: TAG,
      summary: "List the hosts of the fleet, with what each has free",
      access: "signed-in",
      scopes: ["read", "engine"],
      answers: { 200: { description: "The hosts", schema: z.array(fleetHostSchema) } },
    },
    async () => jsonAnswer((await fleet.ledger.hosts()).map(showFleetHost)),
  );

  endpoints.add(
    {
      method: "put",
      path: "/api/fleet/hosts/{name}",
      operationId: "reportPlaces",
      tag: TAG,
      summary: "Report a host's places, and learn which it has to have; the first report registers the host",
      access: "reader",
      scopes: [REPORT_SCOPE],
      body: placesReportSchema,
      maxBodyBytes: MAX_REPORT_BYTES,
      answers: { 200: { description: "What the host has to have", schema: wantedPlacesSchema } },
    },
    async ({ actor, name, body }) => {
      requireHostName(name);
      const { tokenId } = actor;
      if (tokenId === null) throw new DirectoryError("forbidden", "A host reports with a token of its own.");
      const { turn, waitSeconds, address, memory, cpus, places, refused } = body;
      const speaker = { name, tokenId, address, size: { memory, cpu: cpus } };
      return jsonAnswer(showWanted(await hearHost(fleet, speaker, { turn, places, refused }, waitSeconds * 1_000)));
    },
  );

  endpoints.add(
    {
      method: "patch",
      path: "/api/fleet/hosts/{name}",
      operationId: "drainHost",
      tag: TAG,
      summary: "Grant no more places on a host, or do so again; what is there stays",
      access: "admin",
      body: fleetHostPatchSchema,
      answers: { 200: { description: "The host", schema: fleetHostSchema } },
      refuses: ["not-found"],
    },
    async ({ actor, name, body }) => jsonAnswer(showFleetHost(await drainHost(fleet, actor, name, body))),
  );

  endpoints.add(
    {
      method: "delete",
      path: "/api/fleet/hosts/{name}",
      operationId: "forgetHost",
      tag: TAG,
      summary: "Give up a host for lost, and free what its places held",
      access: "admin",
      answers: { 204: { description: "Forgotten" } },
      refuses: ["not-found", "conflict"],
    },
    async ({ actor, name }) => {
      await forgetHost(fleet, actor, name);
      return noContent();
    },
  );
}
