import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Kinds of which only the number counts: a pool makes new ones. */
const COUNTED = ["netns", "links"];

function output(program, ...args) {
  try {
    return execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1e8 });
  } catch {
    return "";
  }
}

function linesOf(text) {
  return text.split("\n").filter((line) => line.trim() !== "");
}

function namesIn(...parts) {
  const path = join(...parts);
  return existsSync(path) ? readdirSync(path) : [];
}

function commandLineOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** What this machine has of the Berth, by kind. @param {import("./berth.mjs").ChaosBerth} berth */
export function worldOf({ folder, instance, state, run, pid }) {
  const ctr = (...args) => linesOf(output("ctr", "-a", join(run, "containerd.sock"), "-n", instance, ...args));
  const processes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ name, line: commandLineOf(name) }))
    .filter(({ line }) => line.includes(`${folder}/`) || line.includes(`-namespace ${instance} `));
  const called = (part) => processes.filter(({ line }) => line.includes(part)).map(({ name }) => name);
  const bridges = linesOf(output("ip", "-o", "link"))
    .map((line) => line.split(/:\s+/)[1])
    .filter((name) => name?.startsWith(instance));
  return {
    netns: linesOf(output("ip", "netns"))
      .map((line) => line.split(" ")[0])
      .filter((name) => name.startsWith(`${instance}-`)),
    bridges,
    links: bridges.flatMap((name) => linesOf(output("ip", "-o", "link", "show", "master", name))),
    nft: elementsOf(instance),
    containers: ctr("containers", "ls", "-q"),
    tasks: ctr("tasks", "ls", "-q"),
    leases: ctr("leases", "ls", "-q"),
    snapshots: ctr("snapshots", "ls")
      .slice(1)
      .filter((line) => !line.includes("Committed"))
      .map((line) => line.split(/\s+/)[0]),
    cgroups: cgroupsOf(instance),
    mounts: linesOf(readFileSync("/proc/mounts", "utf8"))
      .map((line) => line.split(" ")[1])
      .filter((path) => path.startsWith(`${folder}/`)),
    shims: called("containerd-shim"),
    loggers: called("/logger "),
    folders: [
      ...["io", "pins", "mounts"].flatMap((name) => namesIn(run, name).map((entry) => `run/${name}/${entry}`)),
      // A volume that is being removed is set aside in a folder that stays.
      ...["containers", "volumes", "volumes/.removed"].flatMap((name) =>
        namesIn(state, name)
          .filter((entry) => entry !== ".removed")
          .map((entry) => `${name}/${entry}`),
      ),
      ...namesIn("/run/containerd/runc", instance).map((entry) => `runc/${entry}`),
    ],
    ports: linesOf(output("ss", "-Hltnp"))
      .filter((line) => line.includes(`pid=${pid},`))
      .map((line) => line.split(/\s+/)[3])
      .filter((address) => !address.endsWith(":53")),
  };
}

/** The elements of the instance's nftables maps, without those of the name service. */
function elementsOf(instance) {
  const text = output("nft", "-j", "list", "table", "ip", instance);
  if (text === "") return [];
  return JSON.parse(text)
    .nftables.flatMap(({ map }) => (map?.elem ?? []).map((element) => `${map.name} ${JSON.stringify(element)}`))
    .filter((line) => !line.includes("53"));
}

function cgroupsOf(instance) {
  const found = new Set();
  for (const controller of [...namesIn("/sys/fs/cgroup"), ""])
    for (const name of namesIn("/sys/fs/cgroup", controller, instance))
      if (existsSync(join("/sys/fs/cgroup", controller, instance, name, "cgroup.procs"))) found.add(name);
  return [...found];
}

/** What there is now and was not before, one line each. */
export function leaksSince(before, now) {
  return Object.entries(now).flatMap(([kind, there]) => {
    if (!COUNTED.includes(kind))
      return there.filter((one) => !before[kind].includes(one)).map((one) => `${kind}: ${one}`);
    const more = there.length - before[kind].length;
    return more > 0 ? [`${kind}: ${more} more than the ${before[kind].length} at first`] : [];
  });
}
