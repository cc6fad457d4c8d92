import {
  endpointsOverlap,
  inspectPorts,
  parsePortSpec,
  START_PORTS_RULES,
  type StartPortsRule,
  toEngine,
} from "../src/index.ts";
import { decisions } from "./vectors.testing.ts";

/** docs/port-rules.md, made from the package's tables and from what its functions answer. */
export function portRules(): string {
  return `# Port rules

How Berth reads, checks, gives and shows ports. This page is made from \`@berth/port-spec\`: a test holds it equal to the
code, and \`npx vitest run packages/port-spec/test/port-rules.test.ts -u\` writes it anew.

## Port specs

\`[hostIp:][hostPort[-end]:]containerPort[-end][/protocol]\`, as \`docker run -p\` takes it, or the CLI's long form.

${table(["spec", "exposes and binds"], SPECS.map(meaning))}

Refused, with the position of the fault and the message:

${table(["spec", "code", "at", "message"], REFUSED.map(refusal))}

## Ports in the body of a start request

A HostConfig at start, bare or under \`HostConfig\`, may name \`PortBindings\` or \`PublishAllPorts\`. Empty ones say nothing.

${table(["API version", "what it does"], START_PORTS_RULES.map(startRule))}

## What excludes what on a host

Two binds of one protocol and port; binds of different protocols or ports never meet. An empty HostIp stands for
\`0.0.0.0\` and, where the host has IPv6, \`::\`, with the same port on both. Conflicts come up at start, never at create.

${table(["", ...ADDRESSES], ADDRESSES.map(conflicts))}

## What inspect shows

\`NetworkSettings.Ports\` of a container that exposes 80/tcp and 53/udp and publishes the first.

${table(["API version", ...STATUSES], ["1.41", "1.20"].map(shown))}

Below API 1.21 \`PortMapping: null\` stands beside it.

## Where Berth decides otherwise than Docker 20.10

Recorded cases in which Berth answers by its own rule, and how many of them there are.

${table(["decision", "cases"], Object.entries(decisions.decisions).map(counted))}
`;
}

const SPECS = [
  "80",
  "8080:80",
  "127.0.0.1::80",
  "[::1]:8080:80/tcp",
  "::1:8080:80",
  "8000-8010:80",
  "3000-3002",
  "9090-9091:8080-8081",
  "6060:6060/UDP",
  "3868:3868/sctp",
  "0:80",
  "00080",
  "published=8080,target=80,protocol=tcp",
];

const REFUSED = [
  "",
  "8080:",
  "0",
  "65536",
  " 80",
  "127.0.0.1:80",
  "localhost:8080:80",
  "fe80::1%eth0:8080:80",
  "[::1:8080:80",
  "0-2:80",
  "1-2-3:4",
  "8001-8000:80",
  "8000-8001:80-82",
  "80/icmp",
  "80/tcp/udp",
];

const ADDRESSES = ["0.0.0.0", "127.0.0.1", "::", "::1"];
const STATUSES = ["created", "running", "paused", "exited"];

function meaning(text: string): readonly string[] {
  const spec = parsePortSpec(text);
  if (!spec.ok) throw new Error(spec.error.message);
  const bindings = Object.entries(toEngine([spec.value]).PortBindings).map(
    ([key, list]) => `${key} ${JSON.stringify(list)}`,
  );
  return [code(text), bindings.map(code).join("<br>")];
}

function refusal(text: string): readonly string[] {
  const spec = parsePortSpec(text);
  if (spec.ok) throw new Error(`${text} is accepted`);
  return [code(text), spec.error.code, `${spec.error.position}`, code(spec.error.message)];
}

function startRule({ from, ports }: StartPortsRule, index: number): readonly string[] {
  const next = START_PORTS_RULES[index + 1];
  const words = {
    honoured: "replaces the ports of create",
    "honoured-with-warning": "replaces the ports of create, with a warning that it is deprecated",
    refused: "is refused with a 400 that says to give them in the create request",
  };
  return [next === undefined ? `from ${from}` : `${from} to before ${next.from}`, words[ports]];
}

function conflicts(hostIp: string): readonly string[] {
  const at = (ip: string) => ({ hostIp: ip, hostPort: 80, protocol: "tcp" as const });
  return [
    `**${hostIp}**`,
    ...ADDRESSES.map((other) => (endpointsOverlap(at(hostIp), at(other)) ? "conflict" : "both")),
  ];
}

function shown(apiVersion: string): readonly string[] {
  const assignments = [{ containerPort: 80, protocol: "tcp" as const, hostIp: "0.0.0.0", hostPort: 8080 }];
  const ports = STATUSES.map(
    (status) => inspectPorts({ status, exposed: ["80/tcp", "53/udp"], assignments, apiVersion }).Ports,
  );
  return [apiVersion, ...ports.map((map) => code(JSON.stringify(map)))];
}

function counted([id, words]: readonly [string, string]): readonly string[] {
  return [words, `${decisions.cases.filter((entry) => entry.decisions.includes(id)).length}`];
}

function code(text: string): string {
  return text === "" ? "(empty)" : `\`${text}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
