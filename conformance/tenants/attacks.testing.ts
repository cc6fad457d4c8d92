import { type Attack, type Battlefield, head, leave } from "./battlefield.testing.ts";
import { FLOODS } from "./floods.testing.ts";
import { tarOf } from "./tar.testing.ts";

const MIB = 2 ** 20;

/** A wish in which each field is ordinary or one that nobody granted. */
function wish({ random, limits }: Battlefield): object {
  const odd = <T>(good: T, ...bad: readonly T[]): T => (random.isLikely(0.85) ? good : random.pick(bad));
  const port = odd(limits.ports.start + random.below(20), 22, 80, 65_535, limits.ports.end + 1);
  return {
    Image: odd("busybox", "berth/demo", "registry.corp/private:1"),
    Cmd: random.pick([["sleep", "30"], ["yes"], ["sh", "-c", "while :; do :; done"], ["nope"], ["sh", "-c", "exit 3"]]),
    Env: odd<readonly string[]>(
      [],
      Array.from({ length: 2_000 }, (_, at) => `V${at}=${"x".repeat(200)}`),
    ),
    Healthcheck: odd<object>({}, { Test: ["CMD", "yes"], Interval: 1_000_000, Timeout: 1_000_000 }),
    HostConfig: {
      Memory: odd(16 * MIB, 0, 2 ** 40, 1),
      MemorySwap: odd(0, -1),
      NanoCpus: odd(1e8, 0, 1, 9e9),
      PidsLimit: odd(20, 0, -1, 1e6),
      Privileged: odd(false, true),
      CapAdd: odd<readonly string[]>([], ["ALL"], ["SYS_ADMIN"]),
      PidMode: odd("", "host", "container:nope"),
      NetworkMode: odd("", "host", "none"),
      SecurityOpt: odd<readonly string[]>([], ["seccomp=unconfined"], ["nope"]),
      Sysctls: odd<object>({}, { "net.core.somaxconn": "1" }, { "kernel.panic": "1" }),
      CgroupParent: odd("", "/"),
      Devices: odd<readonly object[]>([], [{ PathOnHost: "/dev/mem" }]),
      Binds: odd<readonly string[]>([], [`${limits.folder}:/x:ro`], [`${limits.folder}:/x`], ["/:/x"], ["data:/x"]),
      Tmpfs: odd<object>(
        {},
        { "/t": "size=1m" },
        Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`/t${at}`, ""])),
      ),
      PortBindings: odd<object>(
        {},
        { "80/tcp": [{ HostIp: odd("", "127.0.0.1", "::1", "nope"), HostPort: String(port) }] },
      ),
      RestartPolicy: odd<object>({}, { Name: "always" }),
    },
  };
}

const createAndStart: Attack = async (field) => {
  const created = await field.eve.ask("POST", "/containers/create", { json: wish(field) });
  if (created.status !== 201) return { answers: [created] };
  return { answers: [created, await field.eve.ask("POST", `/containers/${created.json.Id}/start`)] };
};

const removeSome: Attack = async ({ eve, own }) => {
  const listed = await eve.ask("GET", "/containers/json?all=1");
  if (listed.status !== 200) return { answers: [listed] };
  const ids = (listed.json as readonly { readonly Id: string }[]).map(({ Id }) => Id).filter((id) => id !== own);
  return {
    answers: [listed, ...(await Promise.all(ids.map((id) => eve.ask("DELETE", `/containers/${id}?force=1&v=1`))))],
  };
};

const floodExecs: Attack = async ({ eve, own, random }) => {
  const size = random.pick([10, 1_000, 3 * MIB, 7 * MIB]);
  const json = { Cmd: ["echo", "x".repeat(size)] };
  const answers = [];
  for (let count = 0; count < (size > MIB ? 3 : 30); count++)
    answers.push(await eve.ask("POST", `/containers/${own}/exec`, { json }));
  return { answers };
};

const followUnread: Attack = async (field) => {
  const path = field.random.pick([
    `/containers/${field.own}/logs?stdout=1&follow=1`,
    "/events?since=1",
    `/containers/${field.own}/stats`,
  ]);
  for (let count = 0; count < 20; count++) leave(field, head(field, "GET", path));
  return { answers: [] };
};

const strangers: Attack = async (field) => {
  const upgrade =
    "POST /v1.41/containers/create HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n";
  for (let count = 0; count < 5; count++) {
    leave(field, `GET /${"x".repeat(100_000)}`);
    leave(field, Buffer.concat([Buffer.from(`${upgrade}Content-Length: 8388608\r\n\r\n`), Buffer.alloc(MIB)]));
  }
  return { answers: [] };
};

/** Files that a program of the host would wait for, or read without end, and archives that are none. */
const hostileFiles: Attack = async ({ eve, own, random }) => {
  const archive = random.pick([
    tarOf({ name: "passwd", type: "6" }),
    tarOf({ name: "group", type: "3", major: 1, minor: 5 }),
    tarOf({ name: "hosts", type: "0" }),
    tarOf({ name: "../../../../../../etc/owned", type: "0" }),
    tarOf({ name: "passwd", type: "2", link: "/proc/kcore" }),
    Buffer.alloc(100_000, 7),
  ]);
  const created = await eve.ask("POST", "/containers/create", {
    json: { Image: "busybox", Cmd: ["sleep", "30"], HostConfig: { Memory: 16 * MIB, NanoCpus: 1e8, PidsLimit: 20 } },
  });
  const target = created.status === 201 ? created.json.Id : own;
  const put = await eve.ask("PUT", `/containers/${target}/archive?path=/etc`, { body: archive });
  if (target === own) return { answers: [created, put] };
  const started = await eve.ask("POST", `/containers/${target}/start`, { timeout: 60_000 });
  return { answers: [created, put, started, await eve.ask("DELETE", `/containers/${target}?force=1`)] };
};

const othersThings: Attack = async ({ eve, victim, random }) => {
  const asked = random.pick<readonly [method: string, path: string, json?: object]>([
    ["GET", `/containers/${victim}/json`],
    ["POST", `/containers/${victim}/stop`],
    ["DELETE", `/containers/${victim}?force=1`],
    ["POST", `/containers/${victim.slice(0, 12)}/exec`, { Cmd: ["id"] }],
    ["GET", `/containers/${victim}/archive?path=/etc`],
    ["POST", "/commit?container=x"],
    ["POST", "/images/load"],
    ["POST", "/berth/enforce"],
    ["POST", "/images/create?fromImage=127.0.0.1:1/x&tag=1"],
  ]);
  const [method, path, json] = asked;
  const answer = await eve.ask(method, path, json === undefined ? {} : { json });
  return { answers: [answer], refused: [answer] };
};

const renames: Attack = async ({ eve, own, random }) => {
  const answers = [];
  for (let count = 0; count < 20; count++)
    answers.push(await eve.ask("POST", `/containers/${own}/rename?name=own${random.below(1_000)}`));
  return { answers };
};

const networksAndVolumes: Attack = async ({ eve, random }) => {
  const Name = `n${random.below(30)}`;
  const Subnet = random.pick(["", "8.8.8.0/24", "10.1.0.0/16", "nope"]);
  return {
    answers: [
      await eve.ask("POST", "/networks/create", {
        json: { Name, IPAM: { Config: Subnet === "" ? [] : [{ Subnet }] } },
      }),
      await eve.ask("POST", "/volumes/create", {
        json: { Name, DriverOpts: random.pick([{}, { type: "none", device: "/", o: "bind" }]) },
      }),
      await eve.ask("DELETE", `/networks/${Name}`),
      await eve.ask("POST", "/volumes/prune"),
    ],
  };
};

export const ATTACKS = {
  createAndStart,
  removeSome,
  floodExecs,
  followUnread,
  strangers,
  hostileFiles,
  othersThings,
  renames,
  networksAndVolumes,
  ...FLOODS,
} as const satisfies Readonly<Record<string, Attack>>;
