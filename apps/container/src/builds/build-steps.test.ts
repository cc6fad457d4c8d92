import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { HOST_ADMINISTRATOR } from "../engine/actor.ts";
import { SYSTEM_CLOCK } from "../engine/clock.ts";
import { KeyedLock } from "../engine/concurrency/keyed-lock.ts";
import { EngineError } from "../engine/errors.ts";
import { FAILURES, Steps } from "../engine/steps.testing.ts";
import { diskUsage } from "../host/content-size.ts";
import { gather, startTestImages, type TestImages } from "../images/images.testing.ts";
import { MemoryNetworks } from "../networks/memory-networks.testing.ts";
import { requestOf } from "./build-request.testing.ts";
import { LocalBuilds } from "./builds-service.ts";
import { Door } from "./door/door.ts";
import { MemoryBuilder } from "./memory-builder.testing.ts";
import type { BuildNames, BuildRow } from "./store.ts";
import { createBuildUsage } from "./usage.ts";

/** The rows, which outlive a service. */
class Rows {
  readonly rows = new Map<string, BuildRow>();
  load = async (): Promise<readonly BuildRow[]> => [...this.rows.values()];
  insert = async (row: BuildRow): Promise<void> => void this.rows.set(row.id, row);
  delete = async (id: string): Promise<void> => void this.rows.delete(id);
  note = async (id: string, result: BuildNames): Promise<void> => {
    const row = this.rows.get(id);
    if (row !== undefined) this.rows.set(id, { ...row, result });
  };
}

const LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };
const NAMES = ["docker.io/library/app:1", "docker.io/library/app:2"];

let at: TestImages;
let folder: string;
const doors: Door[] = [];
beforeAll(async () => {
  at = await startTestImages();
});
afterAll(() => at?.dispose());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "berth-build-steps-"));
});
afterEach(async () => {
  await Promise.all(doors.splice(0).map((door) => door.close()));
  await rm(folder, { recursive: true });
});

/** The host of one build, which outlives services. */
interface Host {
  readonly rows: Rows;
  readonly networks: MemoryNetworks;
  readonly builder: MemoryBuilder;
}

/** A service on the host, whose effects are steps, after it took away what an earlier one left. */
async function open({ rows, networks, builder }: Host, steps: Steps) {
  const context = await at.reopenContext();
  const door = await Door.open(join(folder, `${doors.length}.sock`), LOG);
  doors.push(door);
  const usage = createBuildUsage(context.library.catalogue);
  const builds = new LocalBuilds({
    builder: steps.in(builder, "builder", ["build", "push", "clear"], { atomic: ["push"] }),
    door,
    store: steps.in(rows, "rows", ["insert", "note", "delete"]),
    images: at.images,
    imageContext: { ...context, library: steps.in(context.library, "library", ["add", "name"]) },
    sources: {
      networks: steps.in(networks, "networks", ["claim", "release"]),
      pidOf: () => 1,
      resolvConf: async () => "",
    },
    files: { write: async ({ root }, _, archive) => await writeFile(join(root, "Dockerfile"), archive) },
    host: {} as never,
    containers: () => [],
    storageOf: () => 0,
    caches: usage.caches,
    measure: diskUsage,
    owners: new KeyedLock(),
    held: usage.held,
    events: { emit: () => undefined },
    clock: SYSTEM_CLOCK,
    log: LOG,
    folder: join(folder, "builds"),
    queue: { running: 1, perOwner: 9 },
    timeoutMs: 60_000,
  });
  await builds.recover();
  return { builds, catalogue: () => context.library.catalogue };
}

/** Builds by a service, and gives what it tells. */
async function build(builds: LocalBuilds, tags = NAMES) {
  // The archive of these tests is the one file that it would hold.
  const archive = Readable.from(["FROM scratch\nCOPY Dockerfile /"]);
  const request = requestOf({ context: { kind: "archive", archive }, tags, cache: "ignore" });
  return await gather(
    await builds.build(HOST_ADMINISTRATOR, request, {
      signal: new AbortController().signal,
      endUnless: () => undefined,
    }),
  );
}

it.each(FAILURES)(
  "a build that fails %s one of its steps leaves nothing, and no image with some of its names",
  async (failure) => {
    for (let step = 0; ; step++) {
      const host = {
        rows: new Rows(),
        networks: new MemoryNetworks(),
        builder: new MemoryBuilder(`${failure} ${step}`),
      };
      const steps = new Steps();
      const first = await open(host, steps);
      steps.failAt(step, failure, new EngineError("unavailable", "this step failed"));
      await Promise.race([build(first.builds).catch(() => undefined), steps.crash]);
      const calls = [...steps.calls];
      if (calls.length <= step) {
        expect(calls).toEqual(expect.arrayContaining(["rows.insert", "library.add", "library.name", "rows.delete"]));
        expect(step).toBe(calls.length);
        return;
      }
      steps.heal();
      const where = `step ${step} of ${calls.join(", ")}`;
      const isCrash = failure.startsWith("crash");
      const after = await open(host, new Steps());
      expect(host.rows.rows.size, where).toBe(0);
      expect([...host.networks.holders], where).toEqual([]);
      expect([...host.builder.there], where).toEqual([]);
      const left = await readdir(join(folder, "builds/administrators")).catch(() => []);
      expect(left, where).toEqual(left.filter((name) => name === "cache"));
      const { images, names } = after.catalogue();
      const given = NAMES.filter((name) => names.get(name)?.imageId === host.builder.image);
      if (isCrash) expect(given, where).toEqual(images.has(host.builder.image) ? NAMES : []);
      // It can be built as ever.
      expect(await build(after.builds), where).toContainEqual({ aux: { ID: host.builder.image } });
      for (const name of NAMES) expect(after.catalogue().names.get(name)?.imageId, where).toBe(host.builder.image);
      await rm(join(folder, "builds"), { recursive: true });
    }
  },
);

it("a start names the image of a build that was killed before it did, but moves no name that was given since", async () => {
  const host = { rows: new Rows(), networks: new MemoryNetworks(), builder: new MemoryBuilder("older") };
  const newer = new MemoryBuilder("newer");
  const [first = "", second = ""] = NAMES;
  const { builds, catalogue } = await open(host, new Steps());
  await build(builds, [first]);
  const createdAt = SYSTEM_CLOCK.now();
  await build((await open({ ...host, builder: newer }, new Steps())).builds, [second]);
  // As builds by BuildKit have it: a row, and nothing else on the host.
  const result = { imageId: host.builder.image, names: NAMES, namer: undefined };
  await host.rows.insert({ id: "b".repeat(64), owner: undefined, createdAt, result });
  await host.rows.insert({
    id: "c".repeat(64),
    owner: undefined,
    createdAt,
    result: { ...result, imageId: "sha256:none" },
  });
  const { names } = (await open(host, new Steps())).catalogue();
  expect(host.rows.rows.size).toBe(0);
  expect(names.get(first)?.imageId).toBe(host.builder.image);
  expect(names.get(second)?.imageId).toBe(newer.image);
  expect(catalogue().images.has(host.builder.image)).toBe(true);
  await host.rows.insert({ id: "d".repeat(64), owner: undefined, createdAt: SYSTEM_CLOCK.now(), result });
  expect((await open(host, new Steps())).catalogue().names.get(second)?.imageId).toBe(host.builder.image);
});
