import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
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

/** The freezer's hierarchy, or the only one. */
const GROUPS = existsSync("/sys/fs/cgroup/freezer") ? "/sys/fs/cgroup/freezer" : "/sys/fs/cgroup";

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

/** A container with what a killed containerd may leave: a bundle, a shim that waits in it, a control group; and the mark of a start. */
async function cutOff({
  isStarting,
}: {
  readonly isStarting: boolean;
}): Promise<{ readonly spec: ContainerSpec; readonly left: readonly string[] }> {
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
  const io = join(test.runDir, "io", id);
  await mkdir(io, { recursive: true });
  if (isStarting) await writeFile(join(io, "starting"), "");
  const { socket, namespace } = test.containerd;
  const args = ["-namespace", namespace, "-address", socket, "-publish-binary", "containerd", "-id", id, "start"];
  const env = { ...process.env, TTRPC_ADDRESS: `${socket}.ttrpc` };
  const starting = run("containerd-shim-runc-v2", args, { cwd: bundle, env });
  starting.child.stdin?.end();
  await starting;
  expect(await shimsOf(id)).toHaveLength(1);
  const cgroup = `/${test.instance}/${id}`;
  const group = join(GROUPS, cgroup);
  await mkdir(group, { recursive: true });
  const record = { type_url: "", value: Buffer.from(JSON.stringify({ linux: { cgroupsPath: cgroup } })) };
  await test.containerd.containers.create({
    id,
    runtime: { name: "io.containerd.runc.v2", options: null },
    spec: record,
  });
  return { spec, left: [bundle, work, group] };
}

it.each([
  ["start", true],
  ["end", false],
])(
  "starts a container of whose %s a killed containerd left a bundle, a shim and a control group",
  async (_, isStarting) => {
    const { spec } = await cutOff({ isStarting });
    const other = await cutOff({ isStarting: true });
    await runtime.start(spec);
    expect(await runtime.processes(spec.id)).toHaveLength(1);
    expect(await shimsOf(spec.id)).toHaveLength(1);
    expect(await shimsOf(other.spec.id)).toHaveLength(1);
    await Promise.all([spec, other.spec].map(({ id }) => runtime.remove(id)));
  },
);

it("removes a container of which a killed containerd left a bundle, a shim and a control group", async () => {
  const { spec, left } = await cutOff({ isStarting: true });
  await runtime.remove(spec.id);
  for (const path of left) await expect(access(path)).rejects.toThrow("ENOENT");
  expect(await shimsOf(spec.id)).toEqual([]);
});
