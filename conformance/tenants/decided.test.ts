import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BerthWithDirectory, removeContainers, startBerthWithDirectory } from "../berth.testing.ts";
import { tarOf } from "./tar.testing.ts";
import { addTenant, askDirectory, type Tenant } from "./tenant.testing.ts";
import { beyondLimits, excessIn, excessRights, type Limits, processesWith } from "./truth.testing.ts";
import { beyondNetworks, type NetworkLimits, publishedAddresses } from "./truth-network.testing.ts";

// What runs is what was decided: random wishes of a limited user, and then what the host says about its processes.

const MIB = 2 ** 20;
const folder = mkdtempSync(join(tmpdir(), "berth-decided-"));
const LIMITS: Limits = {
  containers: 2,
  memory: 64 * MIB,
  cpu: 1,
  pids: 100,
  ports: { start: 24_100, end: 24_119 },
  folder: join(folder, "granted"),
};

const NETWORKS: NetworkLimits = {
  // The latter two are where networks get subnets that ask for none.
  subnets: ["10.77.0.0/16", "172.31.0.0/16", "192.168.0.0/16"],
  networks: 2,
  foreign: "10.78.0.0/24",
};

/** Fits the quotas. */
const FITTING = { Memory: 16 * MIB, NanoCpus: 2e8, PidsLimit: 20 };

let berth: BerthWithDirectory;
let eve: Tenant;

beforeAll(async () => {
  for (const name of ["sub", "inner"]) mkdirSync(join(LIMITS.folder, name), { recursive: true });
  // What is read-only has to be so below, too.
  execFileSync("mount", ["--bind", join(LIMITS.folder, "inner"), join(LIMITS.folder, "sub")]);
  writeFileSync(join(folder, "secret"), "");
  berth = await startBerthWithDirectory();
  const Config = [{ Subnet: NETWORKS.foreign }];
  await berth.expect([201], "POST", "/networks/create", { Name: "foreign", IPAM: { Config } });
  eve = await addTenant(berth, "eve", [
    { kind: "quota", effect: "limit", resource: "containers", max: LIMITS.containers },
    { kind: "quota", effect: "limit", resource: "memory", max: LIMITS.memory },
    { kind: "quota", effect: "limit", resource: "cpu", max: LIMITS.cpu },
    { kind: "quota", effect: "limit", resource: "pids", max: LIMITS.pids },
    { kind: "host-ports", effect: "limit", ports: [LIMITS.ports] },
    { kind: "mounts", effect: "grant", folders: [{ path: LIMITS.folder, readOnly: true }] },
    { kind: "host-interfaces", effect: "limit", addresses: ["127.0.0.0/8"] },
    { kind: "subnets", effect: "limit", subnets: ["10.77.0.0/16"] },
    { kind: "quota", effect: "limit", resource: "networks", max: NETWORKS.networks },
    { kind: "images", effect: "limit", patterns: ["docker.io/library/busybox:*"] },
    { kind: "images", effect: "deny", patterns: ["registry.corp/denied"] },
  ]);
});

afterAll(async () => {
  await berth?.close();
  execFileSync("umount", [join(LIMITS.folder, "sub")]);
  rmSync(folder, { recursive: true });
});

/** Mostly one value that passes, sometimes one of those that should not. */
function mostly<T>(good: T, ...odd: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof({ weight: 6, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: fc.constantFrom(...odd) });
}

const source = mostly(
  LIMITS.folder,
  folder,
  "/",
  join(LIMITS.folder, "sub"),
  `${LIMITS.folder}/../secret`,
  "/proc/self/root",
);
const port = fc.oneof(
  fc.integer({ min: 24_095, max: 24_125 }).map(String),
  fc.constant(""),
  fc.constant("24119-24121"),
);

const mount = fc.oneof(
  fc.record({
    Type: fc.constant("bind"),
    Source: source,
    ReadOnly: mostly(true, false),
    BindOptions: mostly<object>({}, { NonRecursive: true }, { ReadOnlyNonRecursive: true }, { Propagation: "rshared" }),
  }),
  fc.record({
    Type: fc.constant("volume"),
    Source: mostly("data", "", "/"),
    VolumeOptions: mostly<object>(
      {},
      { DriverConfig: { Name: "local", Options: { type: "none", o: "bind", device: "/" } } },
      { Subpath: "../.." },
    ),
  }),
);

const resources = {
  Memory: mostly(16 * MIB, 0, 64 * MIB, 65 * MIB, 6 * MIB),
  MemorySwap: mostly(0, -1, 128 * MIB, 1024 * MIB),
  NanoCpus: mostly(2e8, 0, 1, 9_999, 1e9, 2e9),
  PidsLimit: mostly(20, 0, -1, 100, 101),
};

const WISHES: readonly (readonly [kind: string, hostConfig: fc.Arbitrary<object>])[] = [
  [
    "privileges",
    fc.record({
      Privileged: mostly(false, true),
      CapAdd: mostly<readonly string[]>([], ["NET_ADMIN"], ["ALL"], ["cap_sys_admin"]),
      PidMode: mostly("", "host"),
      NetworkMode: mostly("", "host"),
      IpcMode: mostly("", "host"),
      UTSMode: mostly("", "host"),
      SecurityOpt: mostly<readonly string[]>([], ["seccomp=unconfined"], ["systempaths=unconfined"]),
      Devices: mostly<readonly object[]>([], [{ PathOnHost: "/dev/mem" }]),
      Ulimits: mostly<readonly object[]>([], [{ Name: "rtprio", Soft: 50, Hard: 50 }]),
    }),
  ],
  [
    "mounts",
    fc.record({
      Binds: fc
        .array(fc.tuple(source, mostly("ro", "rw", "ro,rshared")), { maxLength: 2 })
        .map((pairs) => pairs.map(([path, mode], at) => `${path}:/m${at}:${mode}`)),
      Tmpfs: mostly<object>({}, { "/t": "size=1m" }, { "/t": "rbind" }),
      Mounts: fc
        .array(mount, { maxLength: 2 })
        .map((mounts) => mounts.map((one, at) => ({ ...one, Target: `/n${at}` }))),
    }),
  ],
  ["quota", fc.record(resources)],
  [
    "host-ports and host-interfaces",
    fc.record({
      PortBindings: fc
        .array(fc.record({ HostIp: mostly("127.0.0.1", "127.0.0.2", "", "::1", "0.0.0.0"), HostPort: port }), {
          minLength: 1,
          maxLength: 3,
        })
        .map((bindings) => ({ "80/tcp": bindings })),
    }),
  ],
];

test("the look at the host sees what exceeds the limits", async () => {
  const grants = [
    { kind: "privileges", effect: "grant", privileges: ["privileged", "host-pid"] },
    { kind: "mounts", effect: "grant", folders: [{ path: LIMITS.folder, readOnly: false }] },
  ];
  const made = [];
  for (const grant of grants) made.push(await askDirectory(berth, "POST", `/users/${eve.id}/constraints`, grant));
  const HostConfig = { ...FITTING, Privileged: true, PidMode: "host", Binds: [`${LIMITS.folder}:/x`] };
  const json = { Image: "busybox", Cmd: ["sleep", "600"], HostConfig };
  const { Id } = (await eve.ask("POST", "/containers/create", { json })).json;
  expect((await eve.ask("POST", `/containers/${Id}/start`)).status).toBe(204);
  const beyond = await beyondLimits(berth, eve.id, { ...LIMITS, memory: 1, ports: { start: 1, end: 1 } });
  for (const text of ["capabilities", "the host's namespace pid", "no seccomp filter", "writable at /x", "memory"])
    expect(beyond).toContainEqual(expect.stringContaining(text));
  await removeContainers(berth);
  for (const { id } of made) await askDirectory(berth, "DELETE", `/constraints/${id}`);
});

test.each(WISHES)("%s: nothing runs beyond what its user may have", { timeout: 300_000 }, async (_kind, hostConfig) => {
  let ran = 0;
  const update = fc.record(resources, { requiredKeys: [] });
  const property = fc.asyncProperty(hostConfig, mostly("busybox", "berth/demo"), update, async (wish, Image, json) => {
    const created = await eve.ask("POST", "/containers/create", {
      json: { Image, Cmd: ["sleep", "600"], HostConfig: { ...FITTING, ...wish } },
    });
    expect(created.text).not.toContain("internal error");
    if (created.status === 201) {
      const started = await eve.ask("POST", `/containers/${created.json.Id}/start`);
      expect(started.text).not.toContain("internal error");
      if (started.status === 204) {
        ran += 1;
        expect((await eve.ask("POST", `/containers/${created.json.Id}/update`, { json })).status).not.toBe(500);
      } else await eve.ask("DELETE", `/containers/${created.json.Id}?force=1`);
    }
    expect(await beyondLimits(berth, eve.id, LIMITS)).toEqual([]);
    for (const address of publishedAddresses(berth)) expect(address).toMatch(/^127\./);
    if (ran % LIMITS.containers === 0) await removeContainers(berth);
  });
  await fc.assert(property, { numRuns: 25, seed: 11, endOnFailure: true });
  // A check of nothing proves nothing.
  expect(ran).toBeGreaterThan(0);
  await removeContainers(berth);
});

/** What runs there, by a file of its image. */
function imageOf(pid: number): string {
  return readFileSync(`/proc/${pid}/root/which`, "utf8");
}

test("images: nothing runs of an image that its user may not have, by whatever name", {
  timeout: 300_000,
}, async () => {
  // A limit wants one name of an image to pass, a deny touches any.
  const names = {
    passing: ["busybox:passing", "registry.corp/passing:1"],
    foreign: ["registry.corp/foreign:1", "registry.corp/busybox:latest"],
    denied: ["busybox:denied", "registry.corp/denied:1"],
  };
  const references = [];
  for (const [which, [first = "", second = ""]] of Object.entries(names)) {
    const base = { Image: "busybox", Cmd: ["true"] };
    const { Id } = (await berth.expect([201], "POST", "/containers/create", base)).json;
    const body = tarOf({ name: "which", type: "0", content: which });
    expect((await berth.ask("PUT", `/containers/${Id}/archive?path=/`, { body })).status).toBe(200);
    const [repo, tag] = [first.slice(0, first.lastIndexOf(":")), first.slice(first.lastIndexOf(":") + 1)];
    const image: string = (await berth.expect([201], "POST", `/commit?container=${Id}&repo=${repo}&tag=${tag}`, {}))
      .json.Id;
    const [secondRepo = "", secondTag = ""] = second.split(":");
    await berth.expect([201], "POST", `/images/${image}/tag?repo=${secondRepo}&tag=${secondTag}`);
    await berth.expect([204], "DELETE", `/containers/${Id}`);
    references.push(first, second, image, image.slice(7, 19), `${repo}@${image}`);
  }
  let ran = 0;
  const reference = fc.constantFrom(...references, "busybox:stolen");
  const property = fc.asyncProperty(reference, reference, async (Image, tagged) => {
    await eve.ask("POST", `/images/${encodeURIComponent(tagged)}/tag?repo=busybox&tag=stolen`);
    const created = await eve.ask("POST", "/containers/create", {
      json: { Image, Cmd: ["sleep", "600"], HostConfig: FITTING },
    });
    expect(created.text).not.toContain("internal error");
    if (created.status !== 201) return;
    expect((await eve.ask("POST", `/containers/${created.json.Id}/start`)).text).not.toContain("internal error");
    const { Pid } = (await eve.ask("GET", `/containers/${created.json.Id}/json`)).json.State;
    if (Pid > 0) {
      ran += 1;
      expect(imageOf(Pid), Image).toBe("passing");
    }
    await eve.ask("DELETE", `/containers/${created.json.Id}?force=1`);
  });
  await fc.assert(property, { numRuns: 25, seed: 11, endOnFailure: true });
  expect(ran).toBeGreaterThan(0);
});

test("execs: no process has more than its user may give to a container", { timeout: 300_000 }, async () => {
  const grant = { kind: "privileges", effect: "grant", privileges: ["capability:SYS_ADMIN"] };
  const { id } = await askDirectory(berth, "POST", `/users/${eve.id}/constraints`, grant);
  const start = async (name: string, CapAdd: readonly string[]): Promise<number> => {
    const json = { Image: "busybox", Cmd: ["sleep", "600"], HostConfig: { ...FITTING, PidsLimit: 50, CapAdd } };
    expect((await eve.ask("POST", `/containers/create?name=${name}`, { json })).status).toBe(201);
    expect((await eve.ask("POST", `/containers/${name}/start`)).status).toBe(204);
    return (await eve.ask("GET", `/containers/${name}/json`)).json.State.Pid;
  };
  await expect.poll(() => start("mighty", ["SYS_ADMIN"]), { timeout: 10_000 }).toBeGreaterThan(0);
  const [mighty, plain] = [await eve.ask("GET", "/containers/mighty/json"), await start("plain", [])];
  await askDirectory(berth, "DELETE", `/constraints/${id}`);
  await expect
    .poll(async () => (await eve.ask("POST", "/containers/mighty/exec", { json: { Cmd: ["true"] } })).status)
    .toBe(403);
  const wishes = fc.record({
    container: mostly("plain", "mighty"),
    json: fc.record({
      Cmd: fc.constant(["sleep", "600"]),
      Privileged: mostly(false, true),
      User: mostly("", "0", "root", "65534", "nobody:0", "0:0"),
      WorkingDir: mostly("", "/", "/proc/self/fd/3", "/proc/1/root"),
      Tty: mostly(false, true),
      Env: mostly<readonly string[]>([], ["PATH=/x"], ["LD_PRELOAD=/x"]),
    }),
  });
  const property = fc.asyncProperty(wishes, async ({ container, json }) => {
    const created = await eve.ask("POST", `/containers/${container}/exec`, { json });
    expect(created.text).not.toContain("internal error");
    if (created.status === 201)
      expect((await eve.ask("POST", `/exec/${created.json.Id}/start`, { json: { Detach: true } })).text).not.toContain(
        "internal error",
      );
    expect(await excessIn(plain)).toEqual([]);
    expect(processesWith(mighty.json.State.Pid)).toEqual([mighty.json.State.Pid]);
  });
  await fc.assert(property, { numRuns: 25, seed: 11, endOnFailure: true });
  expect(processesWith(plain).length).toBeGreaterThan(1);
  expect(excessRights(mighty.json.State.Pid)).toContainEqual(expect.stringContaining("capabilities"));
  await removeContainers(berth);
});

test("networks and subnets: no network and no container is where its user may not have one", {
  timeout: 300_000,
}, async () => {
  const name = fc.constantFrom("one", "two", "three");
  const wishes = fc.record({
    name,
    Subnet: mostly("", "10.77.1.0/24", "10.77.0.0/16", "10.76.0.0/16", "10.78.0.0/25", "8.8.8.0/24", "192.168.7.0/24"),
    options: mostly({}, { "com.docker.network.bridge.name": "eth0" }, { "com.docker.network.driver.mtu": "1400" }),
    joined: mostly("one", "two", "foreign", "host", "bridge"),
    connected: mostly("two", "foreign", "bridge"),
    removed: name,
  });
  let ran = 0;
  const property = fc.asyncProperty(wishes, async ({ name: Name, Subnet, options, joined, connected, removed }) => {
    const IPAM = { Config: Subnet === "" ? [] : [{ Subnet }] };
    const json = { Image: "busybox", Cmd: ["sleep", "600"], HostConfig: { ...FITTING, NetworkMode: joined } };
    const answers = [
      await eve.ask("POST", "/networks/create", { json: { Name, IPAM, Options: options } }),
      await eve.ask("POST", "/containers/create?name=member", { json }),
      await eve.ask("POST", "/containers/member/start"),
      await eve.ask("POST", `/networks/${connected}/connect`, { json: { Container: "member" } }),
    ];
    for (const { text } of answers) expect(text).not.toContain("internal error");
    const shown = await eve.ask("GET", "/containers/member/json");
    const pid = Number(shown.json?.State?.Pid ?? 0);
    if (pid > 0) ran += 1;
    expect(beyondNetworks(berth, pid > 0 ? [pid] : [], NETWORKS)).toEqual([]);
    await eve.ask("DELETE", "/containers/member?force=1");
    await eve.ask("DELETE", `/networks/${removed}`);
  });
  await fc.assert(property, { numRuns: 25, seed: 11, endOnFailure: true });
  expect(ran).toBeGreaterThan(0);
});

test("the look at the networks sees what exceeds the limits", async () => {
  await eve.ask("POST", "/networks/prune");
  expect((await eve.ask("POST", "/networks/create", { json: { Name: "plain" } })).status).toBe(201);
  const json = { Image: "busybox", Cmd: ["sleep", "600"], HostConfig: { ...FITTING, NetworkMode: "plain" } };
  const { Id } = (await eve.ask("POST", "/containers/create", { json })).json;
  expect((await eve.ask("POST", `/containers/${Id}/start`)).status).toBe(204);
  const { Pid } = (await eve.ask("GET", `/containers/${Id}/json`)).json.State;
  const beyond = beyondNetworks(berth, [Pid], { ...NETWORKS, subnets: ["10.1.0.0/16"], networks: 0 });
  for (const text of ["1 networks of at most 0", "a network with", "a container with"])
    expect(beyond).toContainEqual(expect.stringContaining(text));
  await removeContainers(berth);
});
