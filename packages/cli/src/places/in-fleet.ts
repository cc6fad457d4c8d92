import type { Api } from "../api.ts";
import { userId } from "../names.ts";
import type { Found, Place, Places } from "./place.ts";

/** A place as the directory's `GET /api/fleet/places` has it. */
export interface FleetPlace extends Place {
  readonly host: string;
  /** What Docker clients connect to. */
  readonly address: string | null;
  readonly secondsLeft: number | null;
}

/** The places of the directory's fleet, or those of one host of it. */
export function placesInFleet(api: Api, host: string | undefined): Places<FleetPlace> {
  return {
    where: host === undefined ? "in the fleet" : `on ${host}`,
    columns: ["place", "host", "user", "state", "memory", "cpus", "pids", "ports", "left"],
    async list() {
      const places = (await api.get("/api/fleet/places")) as readonly FleetPlace[];
      return places.filter((place) => host === undefined || place.host === host).map(found);
    },
    async take({ user, ...wish }) {
      const whose = user === undefined ? {} : { userId: await userId(api, user) };
      const there = host === undefined ? {} : { host };
      return found((await api.send("POST", "/api/fleet/places", { ...wish, ...whose, ...there })) as FleetPlace);
    },
    extend: async ({ id }, seconds) =>
      found((await api.send("POST", `/api/fleet/places/${id}/extend`, { seconds })) as FleetPlace),
    async give({ id }) {
      await api.send("DELETE", `/api/fleet/places/${id}`);
      const left = (await api.get("/api/fleet/places")) as readonly FleetPlace[];
      return left.some((place) => place.id === id) ? "ending" : "ended";
    },
  };
}

function found(place: FleetPlace): Found<FleetPlace> {
  return { place, secondsLeft: place.secondsLeft };
}
