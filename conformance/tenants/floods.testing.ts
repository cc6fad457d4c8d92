import { gzipSync } from "node:zlib";
import { type Attack, type Battlefield, execute, head, leave } from "./battlefield.testing.ts";

// Attacks by mere quantity: of mounts, bytes, files, connections, queries, probes.

const MIB = 2 ** 20;
const FITTING = { Memory: 16 * MIB, NanoCpus: 1e8, PidsLimit: 20 };

async function runAndRemove({ eve }: Battlefield, wish: object): ReturnType<Attack> {
  const json = { Image: "busybox", Cmd: ["sleep", "30"], ...wish };
  const created = await eve.ask("POST", "/containers/create", { json, timeout: 60_000 });
  if (created.status !== 201) return { answers: [created] };
  const path = `/containers/${created.json.Id}`;
  const started = await eve.ask("POST", `${path}/start`, { timeout: 60_000 });
  const listed = await eve.ask("GET", `${path}/json`);
  const removed = await eve.ask("DELETE", `${path}?force=1&v=1`, { timeout: 60_000 });
  return { answers: [created, started, listed, removed] };
}

const thousandsOfMounts: Attack = (field) => {
  const count = field.random.pick([200, 2_000, 20_000]);
  const each = <T>(make: (at: number) => T): readonly T[] => Array.from({ length: count }, (_, at) => make(at));
  const HostConfig = field.random.pick<object>([
    { Tmpfs: Object.fromEntries(each((at) => [`/t${at}`, "size=4k"])) },
    { Binds: each((at) => `${field.limits.folder}:/b${at}:ro`) },
    { Binds: each((at) => `many${at % 50}:/v${at}`) },
    { Mounts: each((at) => ({ Type: "tmpfs", Target: `/m${at}` })) },
  ]);
  return runAndRemove(field, { HostConfig: { ...FITTING, ...HostConfig } });
};

const ENDLESS = [
  "rm -f /etc/passwd && truncate -s 100G /etc/passwd",
  "rm -f /etc/group && ln -s /dev/zero /etc/group",
  "rm -f /etc/passwd && mkfifo /etc/passwd",
  "truncate -s 1000G /tmp/huge",
  "d=/tmp/deep; for i in $(seq 200); do d=$d/aaaaaaaaaaaaaaaaaaaa; done; mkdir -p $d",
  "i=0; while [ $i -lt 3000 ]; do : > /tmp/f$i; i=$((i+1)); done",
];

/** Files that have no end, or a great many of them, and then every call that looks at files. */
const endlessFiles: Attack = async (field) => {
  const { eve, random } = field;
  const json = { Image: "busybox", Cmd: ["sh", "-c", `${random.pick(ENDLESS)}; sleep 30`], HostConfig: FITTING };
  const created = await eve.ask("POST", "/containers/create", { json });
  if (created.status !== 201) return { answers: [created] };
  const path = `/containers/${created.json.Id}`;
  const answers = [created, await eve.ask("POST", `${path}/start`, { timeout: 60_000 })];
  answers.push(...(await execute(field, created.json.Id, ["id"])));
  answers.push(await eve.ask("GET", `${path}/changes`, { timeout: 60_000 }));
  // What would never end is left unread.
  leave(field, head(field, "GET", `${path}/archive?path=/tmp`));
  leave(field, head(field, "GET", `${path}/export`));
  answers.push(await eve.ask("POST", `${path}/restart?t=0`, { timeout: 60_000 }));
  answers.push(await eve.ask("DELETE", `${path}?force=1`, { timeout: 60_000 }));
  return { answers };
};

const archiveBombs: Attack = async ({ eve, own, random }) => {
  const zeros = gzipSync(Buffer.alloc(random.pick([MIB, 64 * MIB])));
  const body = random.pick([zeros, Buffer.concat([zeros, zeros, zeros]), gzipSync(zeros)]);
  return { answers: [await eve.ask("PUT", `/containers/${own}/archive?path=/tmp`, { body, timeout: 60_000 })] };
};

const healthChecks: Attack = (field) => {
  const Test = field.random.pick([
    ["CMD", "yes"],
    ["CMD-SHELL", "sleep 100 & sleep 100 & sleep 100"],
    ["CMD", "nope"],
    ["CMD-SHELL", "head -c 50000000 /dev/zero"],
  ]);
  const Healthcheck = { Test, Interval: 1_000_000, Timeout: 1_000_000_000, StartInterval: 1_000_000, Retries: 1 };
  return runAndRemove(field, { Healthcheck, HostConfig: FITTING });
};

/** Connections that come and go, with and without a name, whole requests and halves. */
const connections: Attack = async (field) => {
  const bytes = field.random.pick([
    "",
    "\u0016\u0003\u0001\u0002",
    "GET /_ping HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".repeat(50),
    head(field, "GET", "/_ping").repeat(50),
    head(field, "POST", "/containers/create", "Content-Type: application/json", "Content-Length: 8000000"),
    head(field, "POST", "/auth", "Content-Type: application/json", "Transfer-Encoding: chunked"),
  ]);
  for (let count = 0; count < 100; count++) leave(field, bytes);
  return { answers: [await field.eve.ask("GET", "/_ping")] };
};

/** Queries and connections to the name service of a network, as fast as a container can. */
const nameService: Attack = async (field) => ({
  answers: await execute(field, field.flooder, ["/flood", field.random.pick(["names", "connections"]), "2"]),
});

/** Calls whose answers cost the service much. */
const costlyReads: Attack = async ({ eve, own, random }) => {
  const filters = encodeURIComponent(JSON.stringify({ name: Array.from({ length: 5_000 }, (_, at) => `(a|b)*${at}`) }));
  const path = random.pick([
    "/system/df",
    "/containers/json?all=1&size=1",
    `/containers/json?all=1&filters=${filters}`,
    `/containers/${own}/logs?stdout=1&tail=100000`,
    `/containers/${own}/top`,
    `/containers/${own}/stats?stream=0`,
    "/events?since=1&until=2",
    "/images/json?all=1",
  ]);
  const answers = await Promise.all(Array.from({ length: 5 }, () => eve.ask("GET", path, { timeout: 60_000 })));
  return { answers: answers.map((answer) => ({ ...answer, text: answer.text.slice(0, 200) })) };
};

const registries: Attack = async ({ eve, random }) => {
  const name = random.pick(["registry.invalid/x", "127.0.0.1/x", "localhost/x", "[::1]:5000/x", "169.254.169.254/x"]);
  const path = `/images/create?fromImage=${encodeURIComponent(name)}&tag=${random.below(1_000)}`;
  return { answers: await Promise.all(Array.from({ length: 10 }, () => eve.ask("POST", path, { timeout: 60_000 }))) };
};

/** Output without end that nobody reads, of an exec and of the container's own process. */
const unreadOutput: Attack = async (field) => {
  const { eve, own } = field;
  const created = await eve.ask("POST", `/containers/${own}/exec`, {
    json: { Cmd: ["timeout", "5", "yes"], AttachStdout: true },
  });
  if (created.status !== 201) return { answers: [created] };
  const upgrade = ["Connection: Upgrade", "Upgrade: tcp", "Content-Type: application/json", "Content-Length: 2"];
  leave(field, `${head(field, "POST", `/exec/${created.json.Id}/start`, ...upgrade)}{}`);
  leave(field, head(field, "POST", `/containers/${own}/attach?stream=1&stdout=1&logs=1`, ...upgrade.slice(0, 2)));
  return { answers: [created] };
};

export const FLOODS = {
  thousandsOfMounts,
  endlessFiles,
  archiveBombs,
  healthChecks,
  connections,
  nameService,
  costlyReads,
  registries,
  unreadOutput,
} as const satisfies Readonly<Record<string, Attack>>;
