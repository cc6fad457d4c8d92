import type { Actor } from "../engine/actor.ts";
import { EngineError } from "../engine/errors.ts";
import type { Place } from "./place.ts";

type Entered = Pick<Place, "user" | "name" | "state">;

/** The only place that a user may enter. Throws `forbidden` where it has none, and `invalid` with their names where it has several. */
export function onlyPlaceOf({ id, login }: Extract<Actor, { kind: "user" }>, places: readonly Entered[]): Entered {
  const own = places.filter(({ user, state }) => user === id && state === "ready");
  const [place, ...others] = own;
  if (place === undefined)
    throw new EngineError(
      "forbidden",
      `users of this host work in places, and user ${login} has none here: take one with berth places take`,
    );
  if (others.length === 0) return place;
  throw new EngineError(
    "invalid",
    `user ${login} has places ${own.map(({ name }) => name).join(", ")} on this host: name one in the address, as in DOCKER_HOST=tcp://HOST:PORT/places/${place.name}`,
  );
}
