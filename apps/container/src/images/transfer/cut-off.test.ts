import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EngineError } from "../../engine/errors.ts";
import { noFilters } from "../../engine/filters.ts";
import { type Failure, Steps } from "../../engine/steps.testing.ts";
import { gather, startTestImages, streamOf, type TestImages, tarOf } from "../images.testing.ts";
import type { Images } from "../images.ts";
import { imagesOf, openImageContext } from "../images-service.ts";
import { digestOf } from "../manifest/manifest.ts";
import type { ImageStore, ImageWriter } from "../store.ts";

let at: TestImages;
beforeAll(async () => {
  at = await startTestImages();
});
afterAll(() => at?.dispose());

/** An archive of an image of two layers. */
async function archive(): Promise<Buffer> {
  const layers = await Promise.all(["one", "two"].map((name) => tarOf({ [name]: `${name}\n` })));
  const rootfs = { type: "layers", diff_ids: layers.map(digestOf) };
  return await tarOf({
    "0.tar": layers[0] ?? "",
    "1.tar": layers[1] ?? "",
    "config.json": JSON.stringify({ os: "linux", architecture: "amd64", rootfs }),
    "manifest.json": JSON.stringify([{ Config: "config.json", RepoTags: ["cut:off"], Layers: ["0.tar", "1.tar"] }]),
  });
}

const IMPORT = {
  repo: "cut",
  tag: "in",
  message: "",
  changes: [],
  platform: undefined,
  signal: new AbortController().signal,
};

interface Operation {
  readonly before: (images: Images) => Promise<unknown>;
  readonly run: (images: Images) => Promise<unknown>;
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  load: { before: async () => undefined, run: async (images) => loaded(images) },
  import: {
    before: async () => undefined,
    run: async (images) => await images.import(streamOf(await tarOf({ three: "three\n" })), IMPORT),
  },
  save: { before: loaded, run: async (images) => await gather(await images.save(["cut:off"])) },
};

/** Loads the archive; rejects where that fails, which a load tells of in its lines. */
async function loaded(images: Images): Promise<void> {
  const lines = await gather(
    await images.load(streamOf(await archive()), { quiet: true, signal: new AbortController().signal }),
  );
  const failure = lines.find(({ error }) => error !== undefined);
  if (failure) throw new Error(failure.error);
}

function stepwise(store: ImageStore, steps: Steps): ImageStore {
  const { write } = store;
  const effects = ["holdBlob", "holdLayers", "blob", "unpack", "manifest"] as const;
  const stepwiseWriter = (writer: ImageWriter) => steps.in(writer, "writer", effects);
  return steps.in({ ...store, write: (use) => write((writer) => use(stepwiseWriter(writer))) }, "store", ["put"]);
}

/** What containerd has that no image needs, or misses of one. */
async function disorder(images: Images): Promise<readonly string[]> {
  const { leases, snapshots, content } = at.containerd;
  await collect();
  const all = await images.list({ all: true, filters: noFilters });
  const found = await Promise.all([snapshots.list(), content.list(), content.statuses(), leases.list()]);
  const [layers, blobs, ingests, leased] = found;
  const left = [
    ...(all.length > 0 ? [] : [...layers.map(({ name }) => name), ...blobs.map(({ digest }) => digest)]),
    ...layers.filter(({ kind }) => kind !== "COMMITTED").map(({ name }) => name),
    ...ingests.map(({ ref }) => ref),
    ...leased.map(({ id }) => id),
  ];
  const broken = await Promise.all(
    all.map(async ({ id }) =>
      gather(await images.save([id])).then(
        () => [],
        (thrown) => [`${id}: ${thrown}`],
      ),
    ),
  );
  return [...left, ...broken.flat()];
}

/** Waits for containerd's garbage collection. */
async function collect(): Promise<void> {
  const { id } = await at.containerd.leases.create();
  await at.containerd.leases.delete(id, { gc: "wait" });
}

async function removeAll(images: Images): Promise<void> {
  for (const { id } of await images.list({ all: true, filters: noFilters }))
    await images.remove(id, { force: true, prune: true, inUse: new Map() });
}

async function failing({ before, run }: Operation, step: number, failure: Failure) {
  await before(await at.reopen());
  const steps = new Steps();
  const context = await openImageContext({ ...at.context, store: stepwise(at.store, steps), warn: () => {} });
  steps.failAt(step, failure, new EngineError("unavailable", "this step failed"));
  const ended = run(imagesOf(context)).then(
    () => true,
    () => false,
  );
  const succeeded = await Promise.race([ended, steps.crash.then(() => false)]);
  const calls = [...steps.calls];
  steps.heal();
  // A service that crashed holds its lease until the next one starts.
  const next = await at.reopen();
  const wrong = await disorder(next);
  await removeAll(next);
  return { calls, succeeded, wrong };
}

describe.each(Object.entries(OPERATIONS))("a %s that is cut off at one of its steps", (_, operation) => {
  it.each(["after", "crash after"] as const)(
    "leaves whole images and nothing else: %s",
    { timeout: 120_000 },
    async (failure) => {
      for (let step = 0; ; step++) {
        const { calls, succeeded, wrong } = await failing(operation, step, failure);
        expect(wrong, `${failure} step ${step} of ${calls.join(", ")}`).toEqual([]);
        if (calls.length > step) continue;
        expect([step > 0, succeeded]).toEqual([true, true]);
        return;
      }
    },
  );
});
