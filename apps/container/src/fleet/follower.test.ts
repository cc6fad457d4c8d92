import { afterEach, expect, test } from "vitest";
import { EngineError } from "../engine/errors.ts";
import type { PlacesAnswer, PlacesReport, WantedPlace } from "../engine/fleet-report.ts";
import { Lease } from "../places/lease.ts";
import type { Place, PlaceRequest } from "../places/place.ts";
import { FleetFollower } from "./follower.ts";

const LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };
const SIZE = { memory: 2 ** 30, cpu: 1, pids: 10 };
/** A place of the host's own. */
const OWN = {
  ...{ name: "own", user: "7", size: SIZE, ports: [] },
  ...{ seconds: undefined, grant: undefined, pod: undefined },
};
const WANTED: WantedPlace = {
  grant: 1,
  name: "ci",
  user: "7",
  size: SIZE,
  ports: [],
  secondsLeft: undefined,
  pod: undefined,
};

const OPEN: FleetFollower[] = [];
afterEach(async () => {
  for (const follower of OPEN.splice(0)) await follower.close();
});

/** The places of a host in memory; the follower's own tests stand on them as the real ones are tested beside their rows. */
class MemoryPlaces {
  readonly #places = new Map<string, Place>();
  #changed = () => {};
  refuses: string | undefined;

  watch(listener: () => void): void {
    this.#changed = listener;
  }

  all(): readonly Place[] {
    return [...this.#places.values()];
  }

  async take({ seconds: _, pod: __, ...request }: PlaceRequest): Promise<Place> {
    if (this.refuses !== undefined) throw new EngineError("conflict", this.refuses);
    const id = `${request.user}@${request.name}`;
    const place: Place = {
      ...request,
      id,
      login: "ann",
      state: "ready",
      since: "2030-01-01T00:00:00Z",
      until: undefined,
      podGroup: undefined,
    };
    this.#places.set(id, place);
    this.#changed();
    return place;
  }

  async extend(): Promise<Place> {
    throw new EngineError("not-found", "not extended here");
  }

  async give(id: string): Promise<void> {
    this.#places.delete(id);
    this.#changed();
  }
}

/** A directory that wants these places, holds its answer while nothing changes, and counts turns as the real one does. */
class Directory {
  wanted: readonly WantedPlace[] = [];
  isKnown = true;
  turn = 1;
  readonly reports: PlacesReport[] = [];
  #wake = () => {};

  readonly report = async (report: PlacesReport, signal: AbortSignal): Promise<PlacesAnswer> => {
    this.reports.push(report);
    if (!this.isKnown && report.places.length > 0) return { outcome: "unknown" };
    this.isKnown = true;
    if (report.turn !== this.turn) return { outcome: "stale", turn: this.turn };
    this.turn++;
    const isSettled = () =>
      this.wanted.every(({ grant }) => report.places.some((one) => one.grant === grant)) &&
      report.places.every(({ grant }) => this.wanted.some((one) => one.grant === grant));
    if (report.refused.length > 0) this.wanted = [];
    if (isSettled())
      await new Promise<void>((resolve, reject) => {
        this.#wake = resolve;
        signal.addEventListener("abort", () => reject(new Error("aborted")));
      });
    return { outcome: "accepted", turn: this.turn, places: this.wanted };
  };

  wants(...places: readonly WantedPlace[]): void {
    this.wanted = places;
    this.#wake();
  }
}

function host() {
  const places = new MemoryPlaces();
  const directory = new Directory();
  const lease = new Lease();
  const address = "tcp://h1.example.test:2375";
  const { report } = directory;
  const size = { memory: 2 ** 33, cpu: 4 };
  OPEN.push(new FleetFollower({ address, host: size, places, countIn: () => 3, report, lease, log: LOG }));
  return { places, directory, lease };
}

test("takes and gives what the directory says, and reports each change at once", async () => {
  const { places, directory, lease } = host();
  await expect.poll(() => directory.reports.length).toBeGreaterThan(1);
  expect(lease.holds()).toBe(false);
  directory.wants(WANTED);
  await expect.poll(() => places.all().map(({ grant }) => grant)).toEqual([1]);
  await expect
    .poll(() => directory.reports.at(-1)?.places)
    .toEqual([{ grant: 1, state: "ready", secondsLeft: undefined, containers: 3 }]);
  expect(lease.holds()).toBe(true);
  directory.wants();
  await expect.poll(() => directory.reports.at(-1)?.places).toEqual([]);
  expect(places.all()).toEqual([]);
});

test("tells why it cannot take a place", async () => {
  const { places, directory } = host();
  places.refuses = "this host has no room";
  directory.wants(WANTED);
  await expect
    .poll(() => directory.reports.flatMap(({ refused }) => refused))
    .toContainEqual({ grant: 1, reason: "this host has no room" });
});

test("offers the fleet what its own places leave, and never reports or ends those", async () => {
  const { places, directory } = host();
  await places.take(OWN);
  await expect
    .poll(() => directory.reports.at(-1))
    .toMatchObject({ size: { memory: 2 ** 33 - 2 ** 30, cpu: 3 }, places: [] });
  expect(places.all()).toHaveLength(1);
});

test("ends the fleet's places where it was given up, and only then is one of the fleet again", async () => {
  const { places, directory } = host();
  directory.wants(WANTED);
  await expect.poll(() => places.all().length).toBe(1);
  directory.wanted = [];
  directory.isKnown = false;
  // Any change makes it report.
  await places.take(OWN);
  await expect.poll(() => places.all().map(({ name }) => name)).toEqual(["own"]);
  await expect.poll(() => directory.isKnown).toBe(true);
});
