// node preflight.mjs [--quiet] [PACKAGE...]: looks at this machine before Berth is built or started, and changes nothing. The Debian
// packages named are those that npm start would install. Ends badly where Berth cannot start. With --quiet it prints only what is wrong.
import { execFile, spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync, readFileSync, statfsSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { addressesToBind, holderOf, overlap, tryBind } from "./preflight-ports.mjs";

/** @typedef {{ level: "ok" | "warn" | "FAIL", name: string, text: string }} Finding */

const GIB = 2 ** 30;
/** What tells that a folder is Berth's, also an earlier version's or where postgres.sh alone was started. */
const OURS = [".berth", "settings", "admin-token", "container.pid", "directory.pid", "postgres/data/PG_VERSION"];
/** A disk of its own has the first; our commands leave the others in a run folder where nothing runs. */
const NOBODYS = ["lost+found", "command.lock", "postgres"];
const env = process.env;
const isRoot = process.getuid?.() === 0;
const args = process.argv.slice(2);
const quiet = args.includes("--quiet");
const missing = args.filter((arg) => arg !== "--quiet");

// A process of its own, which takes longest.
const asked = settings();
const others = [
  ...(await ports()),
  ...(isRoot ? [containerd(), firewall(), cgroups()] : []),
  memory(),
  disk(),
  ...folders(),
];
/** @type {Finding[]} */
const findings = [
  { level: "ok", name: "node", text: `${process.version}, ${availableParallelism()} processors` },
  privileges(),
  programs(),
  ...(await asked),
  ...others,
];
for (const { level, name, text } of findings)
  if (!quiet || level !== "ok") console.log(`  ${level.padEnd(5)} ${name.padEnd(11)} ${text}`);
process.exitCode = findings.some(({ level }) => level === "FAIL") ? 1 : 0;

/** @returns {Finding} */
function privileges() {
  const name = "privileges";
  if (process.platform !== "linux")
    return { level: "warn", name, text: `no containers on ${process.platform}: the directory alone` };
  if (!isRoot) return { level: "warn", name, text: "you are not root: the directory alone, without containers" };
  const held = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0"}`);
  const wanted = { NET_ADMIN: 12n, SYS_CHROOT: 18n, SYS_ADMIN: 21n, MKNOD: 27n };
  const lacking = Object.keys(wanted).filter((key) => (held & (1n << wanted[key])) === 0n);
  if (lacking.length === 0) return { level: "ok", name, text: "root" };
  return {
    level: "FAIL",
    name,
    text: `this root lacks the capabilities ${lacking.join(", ")}: it is inside a container; give that --privileged`,
  };
}

/** @returns {Finding} */
function programs() {
  const name = "packages";
  if (missing.length === 0) return { level: "ok", name, text: "all here" };
  if (existsSync("/usr/bin/apt-get")) return { level: "ok", name, text: `npm start installs ${missing.join(" ")}` };
  return {
    level: "warn",
    name,
    text: `the directory alone: missing, without apt-get to install them: ${missing.join(" ")}`,
  };
}

/** @returns {Promise<Finding[]>} */
async function settings() {
  // What an earlier build says of settings counts, and that it no longer runs does not. It is asked again after the build.
  const script = join(import.meta.dirname, "wrong-settings.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [script]).catch((fault) => fault);
  const wrong = stdout.split("\n").filter((line) => line !== "");
  if (wrong.length > 0) return wrong.map((line) => ({ level: "FAIL", name: "settings", text: line.trim() }));
  const file = env.BERTH_SETTINGS_FILE;
  return [{ level: "ok", name: "settings", text: file ? `with ${file}` : "from the environment" }];
}

/** @returns {Promise<Finding[]>} */
async function ports() {
  // Two settings of one address are wrong settings; here each would take the other for another program.
  const apart = addressesToBind(env).filter(
    ({ address }, index, all) => !all.slice(0, index).some((one) => overlap(one.address, address)),
  );
  const findings = await Promise.all([...apart.map(port), defaultAddress()]);
  const wrong = findings.filter((one) => one !== undefined);
  return wrong.length > 0 ? wrong : [{ level: "ok", name: "ports", text: "free, or Berth's" }];
}

/** @param {ReturnType<typeof addressesToBind>[number]} bound @returns {Promise<Finding | undefined>} */
async function port({ setting, address, required }) {
  const fault = await tryBind(address);
  if (fault === undefined) return undefined;
  const level = required ? "FAIL" : "warn";
  const where = `${setting}: ${address.host}:${address.port}`;
  if (fault.code === "EADDRINUSE") {
    const holder = holderOf(address.port);
    if (holder.isBerth) return undefined;
    const advice = required ? `end that, or set ${setting} to another port` : "the demo takes the next free port";
    return { level, name: "ports", text: `${where} is in use by ${holder.text}; ${advice}` };
  }
  const reason =
    fault.code === "EADDRNOTAVAIL" ? "is not an address of this machine" : `cannot be bound: ${fault.message}`;
  return { level, name: "ports", text: `${where} ${reason}; set ${setting} to another address` };
}

/** @returns {Promise<Finding | undefined>} */
async function defaultAddress() {
  const host = env.BERTH_DEFAULT_HOST_IP ?? "";
  if (isIP(host) === 0 || (await tryBind({ host, port: 0 })) === undefined) return undefined;
  const text = `BERTH_DEFAULT_HOST_IP: ${host} is not an address of this machine: no port can be published on it`;
  return { level: "warn", name: "ports", text };
}

/** @returns {Finding} */
function containerd() {
  const name = "containerd";
  const socket = env.BERTH_CONTAINERD ?? "";
  if (socket === "" || existsSync(socket)) return { level: "ok", name, text: socket || "the host's, or Berth's own" };
  return { level: "warn", name, text: `BERTH_CONTAINERD: there is no ${socket}: Berth runs a containerd of its own` };
}

/** @returns {Finding} */
function firewall() {
  const name = "firewall";
  const { status, stdout } = spawnSync("nft", ["-j", "list", "chains"], { encoding: "utf8", timeout: 1000 });
  if (status !== 0) return { level: "ok", name, text: "not looked at: nft does not run yet" };
  /** @type {{ nftables: { chain?: { family: string, table: string, name: string, hook?: string, policy?: string } }[] }} */
  const { nftables } = JSON.parse(stdout);
  const dropping = nftables
    .map(({ chain }) => chain)
    .filter((chain) => chain?.hook === "forward" && chain.policy === "drop" && chain.table !== env.BERTH_INSTANCE);
  if (dropping.length === 0) return { level: "ok", name, text: "no chain of another table drops forwarded packets" };
  const names = dropping.map((chain) => `${chain?.family} ${chain?.table} ${chain?.name}`).join(", ");
  // The service adds what Docker and ufw have a place for; see docs/operations.md.
  const place = ["ufw-user-forward", "DOCKER-USER"].find((one) => nftables.some(({ chain }) => chain?.name === one));
  if (place !== undefined && dropping.every((chain) => chain?.table === "filter"))
    return { level: "ok", name, text: `${names} drops forwarded packets; Berth adds its own to ${place}` };
  return {
    level: "warn",
    name,
    text: `${names} drops forwarded packets; once Berth runs, docker info has the commands that let containers' packets pass`,
  };
}

/** @returns {Finding} */
function cgroups() {
  const name = "cgroups";
  const isV2 = existsSync("/sys/fs/cgroup/cgroup.controllers");
  const has = isV2
    ? readFileSync("/sys/fs/cgroup/cgroup.controllers", "utf8").trim().split(" ")
    : ["cpu", "memory", "pids"].filter((one) => existsSync(`/sys/fs/cgroup/${one}`));
  const lacking = ["cpu", "memory", "pids"].filter((one) => !has.includes(one));
  if (!isWritable("/sys/fs/cgroup"))
    return {
      level: "FAIL",
      name,
      text: "/sys/fs/cgroup is read-only: Berth is inside a container; give that --privileged",
    };
  const version = isV2 ? "version 2" : "version 1";
  if (lacking.length === 0) return { level: "ok", name, text: version };
  return {
    level: "warn",
    name,
    text: `${version}, without ${lacking.join(", ")}: limits on those are discarded with a warning`,
  };
}

/** @returns {Finding} */
function memory() {
  const kib = Number(
    /^MemAvailable:\s*(\d+)/m.exec(existsSync("/proc/meminfo") ? readFileSync("/proc/meminfo", "utf8") : "")?.[1],
  );
  if (Number.isNaN(kib)) return { level: "ok", name: "memory", text: "not known" };
  const text = `${shown(kib * 1024)} available`;
  return kib * 1024 >= GIB
    ? { level: "ok", name: "memory", text }
    : { level: "warn", name: "memory", text: `${text}; Berth itself takes up to 1 GiB` };
}

/** @returns {Finding} */
function disk() {
  const state = resolve(env.BERTH_STATE ?? "/var/lib/berth");
  const folder = nearest(state);
  const { bavail, bsize } = statfsSync(folder);
  const text = `${shown(bavail * bsize)} free for ${state}`;
  if (!isWritable(folder))
    return {
      level: "FAIL",
      name: "disk",
      text: `${folder} cannot be written to; set BERTH_STATE to a folder of yours`,
    };
  if (bavail * bsize < GIB / 2) {
    if (!existsSync(join(state, "settings")))
      return { level: "FAIL", name: "disk", text: `${text}; Berth needs 512 MiB for its first start` };
    return { level: "warn", name: "disk", text: `${text}; what needs more is refused until there is some` };
  }
  return bavail * bsize >= 2 * GIB
    ? { level: "ok", name: "disk", text }
    : { level: "warn", name: "disk", text: `${text}; of it, pulls leave BERTH_DISK_RESERVE (1 GiB unless set)` };
}

/** @returns {Finding[]} a fault for each folder that Berth would share with others, for a purge removes it as a whole */
function folders() {
  return ["BERTH_STATE", "BERTH_RUN"].flatMap((setting) => {
    const path = resolve(env[setting] ?? "");
    const above = nearest(path);
    const isFolder = statSync(above).isDirectory();
    const files = isFolder && above === path ? readdirSync(path).filter((name) => !NOBODYS.includes(name)) : [];
    if (isFolder && (files.length === 0 || OURS.some((name) => existsSync(join(path, name))))) return [];
    const fault = isFolder ? `${path} has files of others, such as ${files[0]}` : `${above} is not a folder`;
    return [{ level: "FAIL", name: "disk", text: `${setting}: ${fault}; set ${setting} to a folder for Berth alone` }];
  });
}

/** @param {string} path */
function nearest(path) {
  return existsSync(path) ? path : nearest(dirname(path));
}

/** @param {string} path */
function isWritable(path) {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {number} bytes */
function shown(bytes) {
  return bytes >= GIB ? `${(bytes / GIB).toFixed(1)} GiB` : `${Math.round(bytes / 2 ** 20)} MiB`;
}
