import type { HostPortRange } from "@berth/directory-domain";
import type { Actor } from "../engine/actor.ts";
import { KeyedLock } from "../engine/concurrency/keyed-lock.ts";
import { EngineError, unlessAbsent } from "../engine/errors.ts";
import type { Log } from "../engine/log.ts";
import { isPlace, placeOwner, userOf } from "../engine/owners.ts";
import type { User } from "../policy/assert-allowed.ts";
import type { HeldQuotas } from "../policy/held-quotas.ts";
import { decidedPlace, inPlace } from "../policy/places.ts";
import { holdQuotas } from "../policy/shared-quotas.ts";
import type { PortBook } from "../ports/ports.ts";
import type { Lease } from "./lease.ts";
import { gone, type Place, type PlaceRequest, type PlaceStore, type Places } from "./place.ts";
import { type ControlGroups, PlaceGroups } from "./place-groups.ts";
import { type HostSize, lacking } from "./room.ts";
import { inSeconds, spanOf } from "./span.ts";

const END_AGAIN_MS = 5_000;
/** The longest that a timer takes. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface PlacesOptions {
  readonly instance: string;
  readonly store: PlaceStore;
  readonly ports: Pick<PortBook, "reserve" | "unreserve" | "reservations">;
  /** The host's range of dynamic ports. */
  readonly dynamic: readonly HostPortRange[];
  readonly host: HostSize;
  readonly groups: ControlGroups;
  readonly held: HeldQuotas;
  readonly lease: Pick<Lease, "assertHolds">;
  /** As the directory answers; without places. */
  readonly askOwner: (user: string) => Promise<Actor | undefined>;
  /** Throws `forbidden` unless the user may have the place beside all that it has. */
  readonly assertAllowed: (user: User, request: PlaceRequest) => Promise<void>;
  /** Serialises additions to an owner's resources. */
  readonly owners: KeyedLock<string>;
  readonly log: Log;
  /** How soon the end of a place that failed is tried again. */
  readonly endAgainMs?: number;
}

/** The places of this host: rows, reserved ports, and control groups that bound them. */
export class HostPlaces implements Places {
  readonly #options: PlacesOptions;
  readonly #groups: PlaceGroups;
  readonly #endAgainMs: number;
  readonly #places = new Map<string, Place>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #endings = new Map<string, Promise<void>>();
  /** Rooms and names are given one after the other. */
  readonly #taking = new KeyedLock<"room">();
  readonly #writes = new KeyedLock<string>();
  #clear: ((owner: string) => Promise<void>) | undefined;
  #changed = () => {};
  #isClosed = false;

  constructor(options: PlacesOptions) {
    this.#options = options;
    this.#groups = new PlaceGroups(options);
    this.#endAgainMs = options.endAgainMs ?? END_AGAIN_MS;
  }

  /** Reads the rows, and makes again what a reboot took. Call it before anything starts in a place. */
  async load(): Promise<void> {
    for (const place of await this.#options.store.load()) {
      this.#places.set(place.id, place);
      this.#count(place);
      const isStillThere = () => !this.#isClosed && this.#ready(place.id) !== undefined;
      if (place.state === "ready") await this.#groups.boundAgain(place, isStillThere);
    }
  }

  /** Ends the places whose time is over or whose taking was cut off, and watches the others from now on. */
  begin(clear: (owner: string) => Promise<void>): void {
    this.#clear = clear;
    for (const place of this.#places.values()) {
      if (place.state === "ready") this.#schedule(place);
      else this.#endInBackground(place.id);
    }
  }

  /** Calls the listener after every change to a place. */
  watch(listener: () => void): void {
    this.#changed = listener;
  }

  all(): readonly Place[] {
    return [...this.#places.values()];
  }

  /** What the context of containers asks; see `Context.placeGroup`. */
  groupOf(owner: string | undefined): string | undefined {
    if (!isPlace(owner)) return undefined;
    const place = this.#ready(owner);
    if (place === undefined) throw new EngineError("conflict", gone(owner));
    return this.#groups.enter(place);
  }

  /** The control group of a place, whether it is there or not. */
  groupNameOf(owner: string): string {
    return this.#groups.nameOf({ id: owner, podGroup: this.#places.get(owner)?.podGroup });
  }

  enter(actor: Actor, name: string): Actor {
    if (actor.kind === "administrator")
      throw new EngineError(
        "invalid",
        `/places/${name}: an administrator is in no place, because no constraint binds it; leave the path out`,
      );
    const place = this.#ready(placeOwner(actor.id, name));
    if (place === undefined)
      throw new EngineError("not-found", `user ${actor.login} has no place ${name} on this host`);
    if (place.grant !== undefined) this.#options.lease.assertHolds(name);
    return inPlace(actor, place, this.#options.dynamic);
  }

  /** The owner of a thing as the directory knows it now, in its place if the owner is one; see `Context.askOwner`. */
  async askOwner(owner: string): Promise<Actor | undefined> {
    if (!isPlace(owner)) return await this.#options.askOwner(owner);
    const place = this.#ready(owner);
    if (place === undefined) throw new EngineError("forbidden", gone(owner));
    const actor = await this.#options.askOwner(userOf(owner));
    return actor?.kind === "user" ? inPlace(actor, place, this.#options.dynamic) : actor;
  }

  take(request: PlaceRequest): Promise<Place> {
    return this.#taking.hold("room", async () => {
      const user = await this.#userOf(request);
      const id = placeOwner(request.user, request.name);
      if (this.#places.has(id))
        throw new EngineError("conflict", `user ${user.login} has a place ${request.name} on this host already`);
      const lack = lacking(this.#options.host, this.all(), request.size);
      if (lack !== undefined) throw new EngineError("conflict", lack);
      const podGroup = await this.#groups.podGroupOf(request);
      const grant = () => this.#grant(user, id, { ...request, podGroup });
      const place = await holdQuotas(this.#options.owners, user, user.id, grant);
      try {
        await this.#options.store.save(place);
        await this.#reserve(place);
        await this.#groups.bound(place);
        return this.#schedule(await this.#change(id, { state: "ready" }));
      } catch (thrown) {
        // What fails here is tried again, so that nothing stays reserved for a place that nobody has.
        await this.#end(id).catch(() => undefined);
        throw thrown;
      }
    });
  }

  async extend(id: string, seconds: number): Promise<Place> {
    const place = this.#ready(id);
    if (place === undefined) throw new EngineError("not-found", gone(id));
    const { until } = spanOf(seconds);
    if (place.until === undefined || (until !== undefined && until < place.until))
      throw new EngineError(
        "conflict",
        place.until === undefined
          ? `place ${place.name} lasts until it is given back; there is nothing to extend`
          : `place ${place.name} lasts until ${place.until} already`,
      );
    return this.#schedule(await this.#change(id, { until }));
  }

  async give(id: string): Promise<void> {
    const place = this.#places.get(id);
    if (place === undefined) throw new EngineError("not-found", gone(id));
    if (place.state === "taken")
      throw new EngineError("conflict", `place ${place.name} is just being taken: try again in a moment`);
    await this.#end(id);
  }

  /** What is ending goes on when the service starts again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  #ready(id: string): Place | undefined {
    const place = this.#places.get(id);
    return place?.state === "ready" ? place : undefined;
  }

  /** Counts the place against its user's quotas, if the user may have it. */
  async #grant(user: User, id: string, request: PlaceRequest & Pick<Place, "podGroup">): Promise<Place> {
    await this.#options.assertAllowed(user, request);
    const { seconds, pod: _, ...rest } = request;
    const span = { since: inSeconds(0), ...spanOf(seconds) };
    const place: Place = { ...rest, id, login: user.login, state: "taken", ...span };
    this.#set(place);
    this.#count(place);
    return place;
  }

  #count(place: Place): void {
    this.#options.held.hold(keyOf(place), { ...decidedPlace(place), owner: place.user });
  }

  /** The user as the directory knows it now. */
  async #userOf({ user }: PlaceRequest): Promise<User> {
    const actor = await this.#options.askOwner(user);
    if (actor === undefined)
      throw new EngineError("unavailable", "this service has no directory token to ask about users with");
    if (actor.kind === "administrator")
      throw new EngineError(
        "invalid",
        `${actor.login} is an administrator, whom no place would limit; take the place for another user or a service account`,
      );
    return actor;
  }

  async #reserve({ id, name, login, ports }: Place): Promise<void> {
    const claimant = { kind: "place", id, name: `${name} of ${login}` } as const;
    for (const { start, end, protocol } of ports)
      await this.#options.ports.reserve({ hostIp: "", hostPorts: { start, end }, protocol, claimant });
  }

  /** Writes a change of a place that does not end, one after the other. Throws `not-found` once it ends. */
  #change(id: string, change: Partial<Pick<Place, "state" | "until">>): Promise<Place> {
    return this.#writes.hold(id, async () => {
      const place = { ...this.#going(id), ...change };
      await this.#options.store.save(place);
      // Its end may have begun meanwhile, and writes its own row next.
      this.#going(id);
      this.#set(place);
      return place;
    });
  }

  #going(id: string): Place {
    const place = this.#places.get(id);
    if (place === undefined || place.state === "ending") throw new EngineError("not-found", gone(id));
    return place;
  }

  /** Ends the place when its time is over. A timer does not follow the wall clock, which may be set meanwhile. */
  #schedule(place: Place): Place {
    clearTimeout(this.#timers.get(place.id));
    if (place.until === undefined || this.#isClosed) return place;
    this.#after(place.id, Date.parse(place.until) - Date.now());
    return place;
  }

  #after(id: string, milliseconds: number): void {
    const now = Math.min(Math.max(milliseconds, 0), LONGEST_TIMER_MS);
    const over = () => (milliseconds > now ? this.#after(id, milliseconds - now) : this.#endInBackground(id));
    this.#timers.set(id, setTimeout(over, now).unref());
  }

  #endInBackground(id: string): void {
    void this.#end(id).catch(() => undefined);
  }

  /** Ends the place, once however often it is asked for. What fails is told and tried again until it succeeds. */
  #end(id: string): Promise<void> {
    const ending =
      this.#endings.get(id) ??
      this.#endNow(id)
        .catch((fault: unknown) => {
          if (!this.#isClosed) {
            this.#options.log.error({ place: id, err: fault }, "failed to end a place; trying again");
            this.#timers.set(id, setTimeout(() => this.#endInBackground(id), this.#endAgainMs).unref());
          }
          throw fault;
        })
        .finally(() => this.#endings.delete(id));
    this.#endings.set(id, ending);
    return ending;
  }

  async #endNow(id: string): Promise<void> {
    const { ports, store, held } = this.#options;
    clearTimeout(this.#timers.get(id));
    const place = this.#places.get(id);
    if (place === undefined) return;
    // From here on nothing enters it, whether its row can be written now or not.
    const ended: Place = { ...place, state: "ending" };
    this.#set(ended);
    await this.#writes.hold(id, () => store.save(ended));
    await this.#clear?.(id);
    await this.#groups.remove(place);
    for (const { id: reservation, claimant } of ports.reservations())
      if (claimant.kind === "place" && claimant.id === id) await ports.unreserve(reservation).catch(unlessAbsent);
    await store.delete(id);
    this.#places.delete(id);
    held.release(keyOf(place));
    this.#changed();
  }

  #set(place: Place): void {
    this.#places.set(place.id, place);
    this.#changed();
  }
}

function keyOf({ id }: Place): string {
  return `place/${id}`;
}
