import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BerthWithDirectory, removeContainers, startBerthWithDirectory } from "../berth.testing.ts";
import { addTenant, askDirectory, type Tenant } from "./tenant.testing.ts";
import { beyondLimits, type Limits } from "./truth.testing.ts";
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
  mkdirSync(join(LIMITS.folder, "sub"), { recursive: true });
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
  ]);
});

afterAll(async () => {
  await berth?.close();
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
    }),
  ],
  [
    "quota",
    fc.record({
      Memory: mostly(16 * MIB, 0, 64 * MIB, 65 * MIB, 6 * MIB),
      MemorySwap: mostly(0, -1, 128 * MIB, 1024 * MIB),
      NanoCpus: mostly(2e8, 0, 1, 9_999, 1e9, 2e9),
      PidsLimit: mostly(20, 0, -1, 100, 101),
    }),
  ],
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
  const property = fc.asyncProperty(hostConfig, mostly("busybox", "berth/demo"), async (wish, Image) => {
    const json = { Image, Cmd: ["sleep", "600"], HostConfig: { ...FITTING, ...wish } };
    const created = await eve.ask("POST", "/containers/create", { json });
    expect(created.text).not.toContain("internal error");
    if (created.status === 201) {
      const started = await eve.ask("POST", `/containers/${created.json.Id}/start`);
      expect(started.text).not.toContain("internal error");
      if (started.status === 204) ran += 1;
      else await eve.ask("DELETE", `/containers/${created.json.Id}?force=1`);
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
