import { Refused } from "../api.ts";
import type { Context } from "../context.ts";
import { fromEngine } from "../host/engine.ts";
import { userId } from "../names.ts";
import type { Found, Place, Places } from "./place.ts";

/** A place as the engine's `GET /berth/places` has it. */
interface HostPlace extends Place {
  readonly until: string | null;
}

/** The places of this host, over the engine's socket. */
export function placesOnHost({ api, terminal: { engine } }: Pick<Context, "api" | "terminal">): Places<HostPlace> {
  return {
    where: "on this host",
    columns: ["place", "user", "state", "memory", "cpus", "pids", "ports", "left"],
    list: async () => ((await fromEngine(engine, "GET", "/berth/places")) as readonly HostPlace[]).map(found),
    async take({ user, ...wish }) {
      if (user === undefined)
        throw new Refused(
          "Say for whom with --user, or name a host of the fleet with --host to take a place for yourself.",
        );
      const body = { ...wish, user: String(await userId(await api(), user)) };
      return found((await fromEngine(engine, "POST", "/berth/places", body)) as HostPlace);
    },
    extend: async ({ id }, seconds) =>
      found((await fromEngine(engine, "POST", `/berth/places/${id}/extend`, { seconds })) as HostPlace),
    async give({ id }) {
      await fromEngine(engine, "DELETE", `/berth/places/${id}`);
      return "ended";
    },
  };
}

function found(place: HostPlace): Found<HostPlace> {
  return { place, secondsLeft: place.until === null ? null : (Date.parse(place.until) - Date.now()) / 1_000 };
}
