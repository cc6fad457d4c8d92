import {
  endpointsOverlap,
  inspectPorts,
  parsePortSpec,
  START_PORTS_RULES,
  type StartPortsRule,
  toEngine,
} from "../src/index.ts";
import { decisions } from "./vectors.testing.ts";

/** The text of port-rules.md, generated from the tables and results of the package. */
export function portRules(): string {
  return `# Port rules

How Berth parses, validates, allocates and shows ports. This page is generated from the code of \`@berth/port-spec\`, and a test
fails where they differ; \`npx vitest run packages/port-spec/test/port-rules.test.ts -u\` regenerates it.

## Port specs

\`[hostIp:][hostPort[-end]:]containerPort[-end][/protocol]\`, as \`docker run -p\` accepts it, or the CLI's long form.

${table(["spec", "exposes and binds"], SPECS.map(meaning))}

Rejected, with the position of the error and the message:

${table(["spec", "code", "at", "message"], REJECTED.map(rejection))}

## Ports in the body of a start request

A HostConfig at start, bare or under \`HostConfig\`, may name \`PortBindings\` or \`PublishAllPorts\`. Empty ones have no effect.

${table(["API version", "what it does"], START_PORTS_RULES.map(startRule))}

## Which binds conflict on a host

Two binds of the same protocol and port, by their addresses. Binds of different protocols or ports never conflict. An empty HostIp
stands for \`0.0.0.0\` and, on a host with IPv6, \`::\`, with the same port on both. Conflicts occur at start, never at create.

${table(["", ...ADDRESSES], ADDRESSES.map(conflicts))}

## Ports in inspect

\`NetworkSettings.Ports\` of a container that exposes 80/tcp and 53/udp and publishes the first.

${table(["API version", ...STATUSES], ["1.51", "1.20"].map(shown))}

\`PortMapping\` is \`null\` at every version.

## Differences from Docker 20.10

Berth's own rules, with the number of recorded cases in which each gives a different answer.

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

const REJECTED = [
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

function rejection(text: string): readonly string[] {
  const spec = parsePortSpec(text);
  if (spec.ok) throw new Error(`${text} is accepted`);
  return [code(text), spec.error.code, `${spec.error.position}`, code(spec.error.message)];
}

function startRule({ from, ports }: StartPortsRule, index: number): readonly string[] {
  const next = START_PORTS_RULES[index + 1];
  const words = {
    honoured: "replaces the ports of the create request",
    "honoured-with-warning": "replaces the ports of the create request, with a deprecation warning",
    refused: "is rejected with a 400; set the ports in the create request",
  };
  return [next === undefined ? `from ${from}` : `from ${from}, below ${next.from}`, words[ports]];
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
