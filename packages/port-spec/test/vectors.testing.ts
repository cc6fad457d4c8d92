import { readFileSync } from "node:fs";
import {
  allocate,
  DEFAULT_PORT_POLICY,
  inspectPorts,
  type Leases,
  type ListedPort,
  listPorts,
  NO_LEASES,
  type PortAssignment,
  type PortBinding,
  type ResolvedPorts,
  resolveCreatePorts,
  startTimePorts,
} from "../src/index.ts";
import { parseCreatePorts, parseStartPorts } from "../src/json/index.ts";

type Json = Readonly<Record<string, unknown>>;
type Ports = Readonly<Record<string, readonly PortBinding[] | null>> | null;

/** A response as recorded: `body` is text below API 1.24, an object with a message from there on. */
interface Answer {
  readonly status: number;
  readonly body?: string | { readonly message: string };
  readonly warnings?: readonly string[];
}

/** What a recorded life of one container says of ports; a part that was never reached is absent or `null`. */
export interface Life {
  readonly create: Answer;
  readonly inspectAfterCreate?: Json | null;
  readonly start?: Answer | null;
  readonly inspectAfterStart?: Json | null;
  readonly listPorts?: readonly Json[] | null;
}

/** vectors.fixture.json: recorded against dockerd 20.10.24 and docker CLI 28.2.2. */
export interface Vectors {
  readonly portSpec: readonly { readonly in: string; readonly out?: BoundOutcome; readonly error?: string }[];
  readonly createRequest: readonly {
    readonly apiVersion: string;
    readonly label: string;
    readonly body: unknown;
    readonly expect: Life;
  }[];
  readonly startHostConfig: readonly {
    readonly apiVersion: string;
    readonly label: string;
    readonly createBody: unknown;
    readonly startBody: unknown;
    readonly expect: Life;
  }[];
  readonly legacyPortSpecs: readonly {
    readonly body: { readonly PortSpecs: readonly string[] };
    readonly expect: {
      readonly exposed?: readonly string[];
      readonly status?: number;
      readonly messageContains?: string;
    };
  }[];
  readonly conflicts: readonly {
    readonly label: string;
    readonly first: ConflictSide;
    readonly second: ConflictSide;
    readonly expectSecond: {
      readonly start: number;
      readonly body: { readonly message: string } | null;
      readonly ports: Ports;
    };
  }[];
  readonly inspectPorts: readonly {
    readonly label: string;
    readonly apiVersion?: string;
    readonly ExposedPorts: unknown;
    readonly PortBindings: unknown;
    readonly state?: string;
    readonly created?: Ports;
    readonly afterStart?: Ports;
    readonly ports?: Ports | "same as running";
  }[];
  readonly listPorts: readonly {
    readonly ports: readonly ListedPort[];
    readonly display: string;
    readonly why: string;
  }[];
  readonly versionNegotiation: readonly { readonly method: string; readonly path: string }[];
}

export interface BoundOutcome {
  readonly exposed: readonly string[];
  readonly bindings: Readonly<Record<string, readonly PortBinding[]>>;
}

export interface ConflictSide {
  readonly ip: string;
  readonly hostPort: string;
  readonly key: string;
}

/** decisions.fixture.json: where Berth decided against a recorded case, and which cases need a running service. */
interface Decisions {
  readonly decisions: Readonly<Record<string, string>>;
  readonly cases: readonly {
    readonly section: string;
    readonly case: string;
    readonly decisions: readonly string[];
    readonly needs?: "service";
    readonly expect?: Json;
  }[];
}

/** Reads a fixture beside this file. */
export function fixture<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
}

export const vectors = fixture<Vectors>("vectors.fixture.json");
export const decisions = fixture<Decisions>("decisions.fixture.json");

/** What to expect of a case: the recorded outcome, or Berth's where it decided otherwise. */
export function expected<T extends object>(section: string, name: string, recorded: T): T {
  return { ...recorded, ...decision(section, name)?.expect };
}

/** Whether the case speaks of more than this package can know: content types, images, addresses of the host, versions. */
export function needsService(section: string, name: string): boolean {
  return decision(section, name)?.needs === "service";
}

function decision(section: string, name: string) {
  return decisions.cases.find((entry) => entry.section === section && entry.case === name);
}

/** Plays create, start, inspect and list of one container through the package, on a host where nothing is taken. */
export function play(apiVersion: string, body: unknown, startBody?: unknown): Life {
  const request = parseCreatePorts(body);
  if (!request.ok) return { create: answer(400, apiVersion, request.error.message) };
  const created = resolveCreatePorts(request.value);
  if (!created.ok) return { create: answer(400, apiVersion, created.error.message) };
  const inspect = (status: string, ports: ResolvedPorts, assignments: readonly PortAssignment[]) => ({
    "NetworkSettings.Ports": inspectPorts({ status, exposed: ports.exposed, assignments, apiVersion }).Ports,
    "State.Status": status,
  });
  const life = {
    create: { status: 201, warnings: created.value.warnings },
    inspectAfterCreate: {
      "NetworkSettings.Ports": inspect("created", created.value, [])["NetworkSettings.Ports"],
      "HostConfig.PortBindings": created.value.portBindings,
      "Config.ExposedPorts": Object.keys(created.value.exposedPorts).length > 0 ? created.value.exposedPorts : null,
    },
  };
  const failed = (status: number, message: string) => ({
    ...life,
    start: answer(status, apiVersion, message),
    inspectAfterStart: inspect("created", created.value, []),
    listPorts: [],
  });
  const asked = parseStartPorts(apiVersion, startBody);
  const atStart = asked.ok ? startTimePorts(apiVersion, asked.value, request.value) : asked;
  if (!atStart.ok) return failed(400, atStart.error.message);
  const ports = atStart.value ?? created.value;
  const given = publish("pt-b", ports, NO_LEASES);
  if (!given.ok) return failed(500, given.message);
  return {
    ...life,
    start: { status: 204 },
    inspectAfterStart: inspect("running", ports, given.value),
    listPorts: listPorts(ports.exposed, given.value).map((port) => ({ ...port })),
  };
}

/** Allocates a container's ports, and words a conflict as dockerd does at start. */
export function publish(name: string, ports: ResolvedPorts, taken: Leases<string>) {
  const given = allocate([{ holder: name, wishes: ports.wishes }], taken, DEFAULT_PORT_POLICY);
  if (given.ok) return given;
  const message = `driver failed programming external connectivity on endpoint ${name} (<eid>): ${given.error.message}`;
  return { ok: false as const, message };
}

function answer(status: number, apiVersion: string, message: string): Answer {
  const isText = Number(apiVersion.split(".")[1]) < 24;
  return { status, body: isText ? `${message}\n` : { message } };
}

/** A life with what a comparison must not see: dynamic ports by number, list order, the words of State. */
export function comparable(life: Life): Life {
  const { create, inspectAfterCreate, start, inspectAfterStart, listPorts: list } = dynamicAsText(life);
  return {
    create: onlyAnswer(create),
    inspectAfterCreate: inspectAfterCreate ?? null,
    start: start ? onlyAnswer(start) : null,
    inspectAfterStart: inspectAfterStart
      ? { Ports: inspectAfterStart["NetworkSettings.Ports"], Status: inspectAfterStart["State.Status"] }
      : null,
    listPorts: list ? [...list].sort((a, b) => listKey(a).localeCompare(listKey(b))) : null,
  };
}

function onlyAnswer({ status, body, warnings }: Answer): Answer {
  return { status, ...(body !== undefined && { body }), ...(warnings !== undefined && { warnings }) };
}

function listKey({ PrivatePort, Type, IP, PublicPort }: Json): string {
  return [PrivatePort, Type, IP, PublicPort].join(" ");
}

/** Replaces each port of the dynamic range by the `<dyn>` of the recordings. */
export function dynamicAsText<T>(value: T): T {
  const isDynamic = (key: string, port: unknown) =>
    (key === "HostPort" || key === "PublicPort") && Number(port) >= 32_768 && Number(port) <= 60_999;
  return JSON.parse(JSON.stringify(value), (key, inner) => (isDynamic(key, inner) ? "<dyn>" : inner));
}
