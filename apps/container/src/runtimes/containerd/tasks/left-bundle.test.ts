import { execFile } from "node:child_process";
import { access, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ContainerSpec, Runtime } from "../../../containers/records/runtime.ts";
import { specOf } from "../../contract.testing.ts";
import { busyboxLayers } from "../busybox.testing.ts";
import { startTestContainerd, type TestContainerd } from "../containerd.testing.ts";
import { openContainerdRuntime } from "../runtime.ts";

const run = promisify(execFile);

let test: TestContainerd;
let runtime: Runtime;
let layers: string;
beforeAll(async () => {
  test = await startTestContainerd();
  layers = await busyboxLayers(test.containerd);
  runtime = await openContainerdRuntime(test);
});
afterAll(async () => {
  await runtime.close();
  await test.dispose();
});

/** The shims of the container, by their command lines. */
async function shimsOf(id: string): Promise<readonly string[]> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(names.map((name) => readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "")));
  return lines.filter((line) => line.includes("containerd-shim") && line.includes(id));
}

/** A container with what a containerd that is killed while it starts a shim leaves: a bundle, and a shim that waits for it. */
async function cutOff(): Promise<{ readonly spec: ContainerSpec; readonly bundle: string; readonly work: string }> {
  const spec = specOf({ args: ["sleep", "1000000"] });
  const { id } = spec;
  await runtime.create(id, layers);
  const bundleIn = (folder: string) => join(folder, "io.containerd.runtime.v2.task", test.instance, id);
  const bundle = bundleIn(test.containerdState);
  const work = bundleIn(join(test.stateDir, "containerd"));
  await mkdir(bundle, { recursive: true });
  await mkdir(work, { recursive: true });
  await run("ln", ["-s", work, join(bundle, "work")]);
  await writeFile(join(bundle, "config.json"), "{}");
  await run("mkfifo", [join(bundle, "log")]);
  const { socket, namespace } = test.containerd;
  const args = ["-namespace", namespace, "-address", socket, "-publish-binary", "containerd", "-id", id, "start"];
  const env = { ...process.env, TTRPC_ADDRESS: `${socket}.ttrpc` };
  const starting = run("containerd-shim-runc-v2", args, { cwd: bundle, env });
  starting.child.stdin?.end();
  await starting;
  expect(await shimsOf(id)).toHaveLength(1);
  return { spec, bundle, work };
}

it("starts a container of which a killed containerd left a bundle and a shim", async () => {
  const { spec } = await cutOff();
  const other = await cutOff();
  await runtime.start(spec);
  expect(await runtime.processes(spec.id)).toHaveLength(1);
  expect(await shimsOf(spec.id)).toHaveLength(1);
  expect(await shimsOf(other.spec.id)).toHaveLength(1);
  await Promise.all([spec, other.spec].map(({ id }) => runtime.remove(id)));
});

it("removes a container of which a killed containerd left a bundle and a shim", async () => {
  const { spec, bundle, work } = await cutOff();
  await runtime.remove(spec.id);
  for (const path of [bundle, work]) await expect(access(path)).rejects.toThrow("ENOENT");
  expect(await shimsOf(spec.id)).toEqual([]);
});
