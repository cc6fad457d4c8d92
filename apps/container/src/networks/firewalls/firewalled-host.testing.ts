import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError, runCommand } from "../command.ts";
import { rulesetCommands } from "../filter/ruleset.ts";
import type { Run } from "./run.ts";

const SCRIPT = join(import.meta.dirname, "../../../../../scripts/firewalls.sh");

/** What gets through on the host, as its containers and the machines beside it see it. */
export interface Reach {
  /** A machine outside reaches a published port. */
  readonly published: boolean;
  /** A container reaches a machine outside. */
  readonly out: boolean;
  /** A container reaches its neighbour on the same bridge. */
  readonly neighbour: boolean;
  /** A container reaches its network's name service. */
  readonly names: boolean;
  /** A container reaches a server of the host itself. */
  readonly host: boolean;
}

/**
 * A host of its own in namespaces, with Debian's firewalls on it: bridge `berth0` with two containers, Berth's table with a published port
 * and a name service, and a machine outside.
 */
export interface FirewalledHost {
  readonly run: Run;
  /** Starts a program in the background, until the host ends. */
  start(program: string, ...args: readonly string[]): void;
  /** Repeats a command until it succeeds. */
  until(program: string, ...args: readonly string[]): Promise<string>;
  reach(): Promise<Reach>;
  end(): Promise<void>;
}

const SERVER = `
import socket, socketserver, sys
class Answer(socketserver.BaseRequestHandler):
    def handle(self): self.request.sendall(b"here")
class Server(socketserver.ThreadingTCPServer): allow_reuse_address = True
Server(("0.0.0.0", int(sys.argv[1])), Answer).serve_forever()
`;

const PROBE = `
import socket, sys
try:
    with socket.create_connection((sys.argv[1], int(sys.argv[2])), 0.7) as s: s.settimeout(0.7); print(s.recv(9).decode())
except OSError: print("none")
`;

const SETUP = [
  "sysctl -qw net.ipv4.ip_forward=1",
  "ip link set lo up",
  "ip link add berth0 type bridge",
  "ip addr add 172.29.0.1/24 dev berth0",
  "ip link set berth0 up",
  ...["one", "two"].flatMap((name, index) => [
    `ip netns add ${name}`,
    `ip link add v${name} type veth peer name eth0 netns ${name}`,
    `ip link set v${name} master berth0 up`,
    `ip -n ${name} addr add 172.29.0.${index + 2}/24 dev eth0`,
    `ip -n ${name} link set eth0 up`,
    `ip -n ${name} route add default via 172.29.0.1`,
  ]),
  "ip netns add outside",
  "ip link add wire type veth peer name eth0 netns outside",
  "ip addr add 10.9.0.1/24 dev wire",
  "ip link set wire up",
  "ip -n outside addr add 10.9.0.2/24 dev eth0",
  "ip -n outside link set eth0 up",
];

/** Makes the host; `prepare` runs while it has no network of Berth's yet, such as an engine that was there before. */
export async function openFirewalledHost(
  prepare: (host: Pick<FirewalledHost, "run" | "start" | "until">) => Promise<void>,
): Promise<FirewalledHost> {
  const host = spawn("bash", [SCRIPT, "run", "sleep", "infinity"], { stdio: ["ignore", "ignore", "inherit"] });
  const [pid] = await poll(async () => {
    if (host.exitCode !== null) throw new Error("the host's root is missing: bash scripts/firewalls.sh build");
    const children = await descendants(host.pid ?? 0);
    return children.length > 0 && (await commandOf(children[0])) === "sleep" ? children : undefined;
  });
  const within = (args: readonly string[]) => [`--target=${pid}`, "--mount", "--net", "--pid", "--", ...args];
  const run: Run = (program, args, input) => runCommand("nsenter", within([program, ...args]), input);
  const start = (...command: readonly string[]) =>
    void spawn("nsenter", within(command), { stdio: "ignore" }).on("error", () => undefined);
  const until = (program: string, ...args: readonly string[]) =>
    poll(() =>
      run(program, args).catch((fault: unknown) => (fault instanceof CommandError ? undefined : Promise.reject(fault))),
    );

  await prepare({ run, start, until });
  await run("sh", ["-euc", SETUP.join("\n")]);
  const rules = rulesetCommands("berth", [
    {
      bridge: "berth0",
      subnets: ["172.29.0.0/24"],
      subnets6: [],
      internal: false,
      masquerade: true,
      isolated: false,
      separatesOwners: false,
      modes: { ipv4: "nat", ipv6: "nat" },
      addressless: false,
      nameService: { address: "172.29.0.1", listensAt: "172.29.0.1", udpPort: 5353, tcpPort: 5353 },
    },
  ]);
  const publish = "add element ip berth ports { tcp . 8080 : 172.29.0.2 . 80 }";
  await run("nft", ["-f", "-"], [...rules, publish, ""].join("\n"));
  const serve = (namespace: string, port: number) =>
    start("ip", "netns", "exec", namespace, "python3", "-c", SERVER, String(port));
  serve("one", 80);
  serve("outside", 80);
  for (const port of ["5353", "2222"]) start("python3", "-c", SERVER, port);
  const ask = async (from: string, address: string, port: number) =>
    (await run("ip", ["netns", "exec", from, "python3", "-c", PROBE, address, String(port)])).trim() === "here";
  // Each server is asked where no firewall is between.
  for (const [from, address, port] of [
    ["one", "172.29.0.2", 80],
    ["outside", "10.9.0.2", 80],
  ] as const) {
    await run("ip", ["-n", from, "link", "set", "lo", "up"]);
    await poll(async () => (await ask(from, address, port)) || undefined);
  }
  for (const port of [5353, 2222]) await until("python3", "-c", `${PROBE}\nsys.exit(0)`, "127.0.0.1", String(port));
  return {
    run,
    start,
    until,
    reach: async () => {
      const [published, out, neighbour, names, itself] = await Promise.all([
        ask("outside", "10.9.0.1", 8080),
        ask("one", "10.9.0.2", 80),
        ask("two", "172.29.0.2", 80),
        ask("two", "172.29.0.1", 53),
        ask("two", "172.29.0.1", 2222),
      ]);
      return { published, out, neighbour, names, host: itself };
    },
    end: () =>
      new Promise((resolve) => {
        host.once("close", () => resolve());
        host.kill("SIGKILL");
        process.kill(Number(pid), "SIGKILL");
      }),
  };
}

async function poll<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + 30_000;
  for (;;) {
    const found = await attempt();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error("waited in vain");
    await sleep(50);
  }
}

async function descendants(pid: number): Promise<readonly string[]> {
  const children = await runCommand("cat", [`/proc/${pid}/task/${pid}/children`]).catch(() => "");
  return children
    .trim()
    .split(/\s+/)
    .filter((child) => child !== "");
}

async function commandOf(pid: string | undefined): Promise<string> {
  return (await runCommand("cat", [`/proc/${pid}/comm`]).catch(() => "")).trim();
}
