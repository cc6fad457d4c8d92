import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { NATIVE_DIR } from "../../../host/native-dir.ts";

const run = promisify(execFile);
const NETWORKS = "/run/netns";
const NAMES = ["own", "other"].map((name) => `berth-runc-${process.pid}-${name}`);

let folder: string;
/** containerd's folder of bundles, which is a mount of its own. */
let state: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "berth-runc-")));
  state = join(folder, "state");
  await mkdir(state);
  await run("mount", ["--bind", state, state]);
  await run("mount", ["--make-private", state]);
  for (const name of NAMES) {
    await mkdir(rootOf(name), { recursive: true });
    await run("mount", ["-t", "tmpfs", "tmpfs", rootOf(name)]);
    await run("ip", ["netns", "add", name]);
  }
  // In runc's place, a program that tells which mounts it sees.
  const runc = join(folder, "runc");
  await writeFile(runc, '#!/bin/sh\nwhile read -r a b c d point rest; do echo "$point"; done </proc/self/mountinfo\n');
  await chmod(runc, 0o755);
});
afterAll(async () => {
  for (const name of NAMES) {
    await run("umount", [rootOf(name)]);
    await run("ip", ["netns", "delete", name]);
  }
  await run("umount", ["-l", state]);
  await rm(folder, { recursive: true });
});

function bundleOf(name: string): string {
  return join(state, "io.containerd.runtime.v2.task/ns", name);
}

function rootOf(name: string): string {
  return join(bundleOf(name), "rootfs");
}

/** Of the mounts of the two containers, those that runc sees in the first one's bundle. */
async function seenBy(verb: string, config: object): Promise<readonly string[]> {
  const [own = ""] = NAMES;
  await writeFile(join(bundleOf(own), "config.json"), JSON.stringify(config));
  const program = join(NATIVE_DIR, "runc");
  const { stdout } = await run(program, ["--root", folder, verb, "--bundle", bundleOf(own), own], {
    cwd: bundleOf(own),
    env: { PATH: folder },
  });
  const points = stdout.split("\n");
  expect(points).toContain("/proc");
  return CONTAINERS.filter((point) => points.includes(pathOf(point)));
}

const CONTAINERS = ["own root", "own network", "other root", "other network"] as const;
const OWN: readonly string[] = ["own root", "own network"];

function pathOf(point: (typeof CONTAINERS)[number]): string {
  const name = NAMES[point.startsWith("own") ? 0 : 1] ?? "";
  return point.endsWith("root") ? rootOf(name) : join(NETWORKS, name);
}

function configOf({ network = join(NETWORKS, NAMES[0] ?? ""), mounts = [] as readonly object[] } = {}): object {
  return { mounts, linux: { namespaces: [{ type: "mount" }, { type: "network", path: network }] } };
}

function bind(source: string, propagation = "rprivate"): { readonly mounts: readonly object[] } {
  return { mounts: [{ destination: "/x", type: "bind", source, options: ["rbind", propagation] }] };
}

it.each<[string, string, () => object, readonly string[]]>([
  ["creates a container", "create", () => configOf(), OWN],
  ["creates one with a bind of another folder", "create", () => configOf(bind("/usr")), OWN],
  ["creates one in another's network", "create", () => configOf({ network: "/proc/1/ns/net" }), ["own root"]],
  [
    "creates one in a network that is gone",
    "create",
    () => configOf({ network: `${NETWORKS}/gone` }),
    [...OWN, "other network"],
  ],
  ["deletes a container", "delete", () => configOf(), []],
  ["kills a container", "kill", () => configOf(), CONTAINERS],
  ["creates one whose mount tells the host", "create", () => configOf(bind("/usr", "rshared")), CONTAINERS],
  ["creates one with all files of the host", "create", () => configOf(bind("/")), CONTAINERS],
  ["creates one with the folder of networks", "create", () => configOf(bind("/run/netns")), CONTAINERS],
  ["creates one with another's root", "create", () => configOf(bind(pathOf("other root"))), CONTAINERS],
  ["creates one with a path that is escaped", "create", () => configOf(bind('/usr/"')), CONTAINERS],
])("runc sees the mounts that it needs where it %s", async (_, verb, config, expected) => {
  const before = await readFile("/proc/self/mountinfo", "utf8");
  const kept = (text: string) =>
    text.split("\n").filter((line) => line.includes(folder) || NAMES.some((name) => line.includes(name)));
  expect(await seenBy(verb, config())).toEqual(expected);
  expect(kept(await readFile("/proc/self/mountinfo", "utf8"))).toEqual(kept(before));
});
