import { afterEach, describe, expect, test } from "vitest";
import {
  decided,
  EXPOSES_EACH,
  REFUSED_AT_CREATE,
  REFUSED_AT_START,
  STARTS_ANYWAY,
  WARNED,
} from "./decisions.testing.ts";
import { sharedBerth } from "./shared-berth.testing.ts";
import {
  type Bound,
  type Course,
  hasIpv6,
  type Ports,
  type Publication,
  type Refusal,
  type StartCase,
  vectors,
} from "./vectors.testing.ts";

const berth = sharedBerth();
let made: string[] = [];
afterEach(async () => {
  await Promise.all(made.map((id) => berth.expect([204, 404], "DELETE", `/containers/${id}?force=true`)));
  made = [];
});

const json = { "content-type": "application/json" };

async function create(
  version: string,
  raw: string | undefined,
  headers: Record<string, string> = json,
  name = "vector",
) {
  const answer = await berth.ask("POST", `/v${version}/containers/create?name=${name}`, {
    headers,
    ...(raw === undefined ? {} : { body: Buffer.from(raw) }),
  });
  if (answer.status === 201) made.push(answer.json.Id);
  return answer;
}

async function inspected(version: string, id: string) {
  return (await berth.expect([200], "GET", `/v${version}/containers/${id}/json`)).json;
}

async function listed(id: string): Promise<{ readonly PublicPort?: number }[]> {
  const { json: containers } = await berth.expect([200], "GET", "/v1.41/containers/json?all=true");
  return containers.find(({ Id }: { Id: string }) => Id === id).Ports;
}

function at(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);
}

/** A port as the vectors write it: `<dyn>` for one of the dynamic range. */
function veiled(port: string | number): string {
  return Number(port) >= 32768 && Number(port) < 61000 ? "<dyn>" : String(port);
}

/** Ports as the vectors write them: `<dyn>` only where the vector has it, so a fixed port in its place differs. */
function comparable(ports: Ports, like: Ports): Ports {
  return Object.fromEntries(
    Object.entries(ports ?? {}).map(([key, list]) => [
      key,
      list?.map(({ HostIp, HostPort }, index): Bound => {
        const wished = like?.[key]?.[index]?.HostPort;
        return { HostIp, HostPort: wished === "<dyn>" ? veiled(HostPort) : HostPort };
      }) ?? null,
    ]),
  );
}

function messageOf(text: string): string {
  try {
    return JSON.parse(text).message;
  } catch {
    return text.trimEnd();
  }
}
function recordedMessage(refusal: Refusal): string {
  return typeof refusal.body === "string" ? refusal.body.trimEnd() : (refusal.body?.message ?? "");
}

type CreateVector = (typeof vectors.createRequest)[number] & { readonly api: string };

const CREATES: readonly CreateVector[] = vectors.createRequest.map((vector) => ({
  ...vector,
  api: `API ${vector.apiVersion}`,
}));
const BY_RULE = new Map(Object.values(REFUSED_AT_CREATE).flatMap((messages) => Object.entries(messages)));
const ACCEPTED = CREATES.filter(
  ({ label, expect: course }) => !BY_RULE.has(label) && !(label in EXPOSES_EACH) && course.create.status < 400,
);

/** Sends a vector's create request exactly as it was recorded. */
function send({ apiVersion, body, rawBody, contentType }: CreateVector) {
  if (body === undefined) return create(apiVersion, undefined, rawBody ? typeHeader(contentType) : json);
  if (rawBody) return create(apiVersion, body as string, typeHeader(contentType));
  return create(apiVersion, JSON.stringify(body));
}

function typeHeader(contentType: string | null | undefined): Record<string, string> {
  return contentType ? { "content-type": contentType } : {};
}

/** Creates the vector's container and checks the answer and inspect; gives its id and what to expect after its start. */
async function expectCreated(vector: CreateVector) {
  const { label, apiVersion, body, expect: course } = vector;
  const { status, json: answer } = await send(vector);
  expect(status).toBe(201);
  if (WARNED.includes(label)) expect(answer.Warnings).toHaveLength(1);
  else expect(answer.Warnings ?? []).toEqual(course.create.warnings);
  const wanted = decided(typeof body === "object" ? body : {}, course, label);
  const inspect = await inspected(apiVersion, answer.Id);
  for (const [path, value] of Object.entries(wanted.inspectAfterCreate ?? {}))
    expect({ path, value: at(inspect, path) ?? null }).toEqual({ path, value });
  return { id: answer.Id as string, wanted };
}

function start({ apiVersion }: CreateVector, id: string) {
  return berth.ask("POST", `/v${apiVersion}/containers/${id}/start`);
}

/** Checks the ports in inspect and in the list; gives the state of the container. */
async function expectPorts({ apiVersion }: CreateVector, id: string, wanted: Course) {
  const { NetworkSettings, State } = await inspected(apiVersion, id);
  const ports = (wanted.inspectAfterStart?.["NetworkSettings.Ports"] ?? {}) as Ports;
  expect(comparable(NetworkSettings.Ports, ports)).toEqual(ports);
  sameNumberInBothFamilies(NetworkSettings.Ports);
  const wantedList = wanted.listPorts as { PublicPort?: number | string }[];
  const isDynamic = wantedList.some(({ PublicPort }) => PublicPort === "<dyn>");
  const list = (await listed(id)).map((item) => (isDynamic ? withVeiledPort(item) : item));
  expect(sorted(list)).toEqual(sorted(wantedList));
  return State;
}

function withVeiledPort(item: { readonly PublicPort?: number }): object {
  return item.PublicPort === undefined ? item : { ...item, PublicPort: veiled(item.PublicPort) };
}

describe.each(Object.entries(REFUSED_AT_CREATE))("create rejects by Berth's rule: %s", (_, messages) => {
  test.each(CREATES.filter(({ label }) => label in messages))("$label, $api", async (vector) => {
    const { status, text } = await send(vector);
    expect(status).toBe(400);
    expect(messageOf(text)).toMatch(messages[vector.label] as RegExp);
  });
});

describe("create exposes each port of a range, by Berth's rule", () => {
  test.each(CREATES.filter(({ label }) => label in EXPOSES_EACH))("$label, $api", async (vector) => {
    const { status, json: made } = await send(vector);
    expect(status).toBe(201);
    const { Config } = await inspected(vector.apiVersion, made.Id);
    expect(Object.keys(Config.ExposedPorts)).toEqual(EXPOSES_EACH[vector.label]);
  });
});

describe("create rejects as recorded", () => {
  const rejected = CREATES.filter(({ label, expect: course }) => !BY_RULE.has(label) && course.create.status >= 400);
  test.each(rejected)("$label, $api", async (vector) => {
    const { status, text } = await send(vector);
    expect(status).toBe(vector.expect.create.status);
    expect(messageOf(text)).toContain(recordedMessage(vector.expect.create));
  });
});

describe("a created container starts with its ports", () => {
  test.each(ACCEPTED.filter(({ label }) => !(label in REFUSED_AT_START)))("$label, $api", async (vector) => {
    const { id, wanted } = await expectCreated(vector);
    const { status } = await start(vector, id);
    expect(status).toBe(STARTS_ANYWAY.includes(vector.label) ? 204 : vector.expect.start?.status);
    expect(await expectPorts(vector, id, wanted)).toMatchObject({ Status: "running" });
  });
});

describe("a created container fails to start by Berth's rule", () => {
  test.each(ACCEPTED.filter(({ label }) => label in REFUSED_AT_START))("$label, $api", async (vector) => {
    const { id, wanted } = await expectCreated(vector);
    const { status, text } = await start(vector, id);
    expect(status).toBe(500);
    expect(messageOf(text)).toMatch(REFUSED_AT_START[vector.label] as RegExp);
    const state = await expectPorts(vector, id, wanted);
    expect(state).toMatchObject({ Status: "created", ExitCode: 128, Error: messageOf(text) });
  });
});

function sorted(list: readonly object[]): string[] {
  return list.map((item) => JSON.stringify(Object.entries(item).sort())).sort();
}

function sameNumberInBothFamilies(ports: Ports): void {
  if (!hasIpv6) return;
  for (const list of Object.values(ports ?? {})) {
    const of = (ip: string) => list?.filter(({ HostIp }) => HostIp === ip).map(({ HostPort }) => HostPort) ?? [];
    if (of("0.0.0.0").length > 0 && of("::").length > 0) expect(of("::")).toEqual(of("0.0.0.0"));
  }
}

const STARTS: readonly StartCase[] = [
  ...vectors.startHostConfig,
  // Before the range of the recording engine.
  ...(["1.9", "1.10", "1.11"] as const).map((apiVersion) => ({
    apiVersion,
    label: "start HC PB",
    createBody: { Image: "busybox:latest", Cmd: ["sleep", "300"], ExposedPorts: { "80/tcp": {} } },
    startBody: { PortBindings: { "80/tcp": [{ HostIp: "127.0.0.1", HostPort: "23122" }] } },
  })),
];

describe("bindings in the body of start", () => {
  const naming = STARTS.filter(({ label }) => label !== "start empty");
  const isHonoured = ({ apiVersion }: StartCase) => Number(apiVersion.split(".")[1]) < 12;

  async function startWith({ apiVersion, createBody, startBody }: StartCase) {
    const created = await create(apiVersion, JSON.stringify(createBody));
    expect(created.status).toBe(201);
    const started = await berth.ask("POST", `/v${apiVersion}/containers/${created.json.Id}/start`, { json: startBody });
    return { started, inspect: await inspected("1.41", created.json.Id) };
  }

  test.each(STARTS.filter(({ label }) => label === "start empty"))("may be absent, API $apiVersion", async (vector) => {
    const { started, inspect } = await startWith(vector);
    expect(started.status).toBe(204);
    expect(inspect.State.Status).toBe("running");
  });

  test.each(naming.filter(isHonoured))("are honoured below 1.12, API $apiVersion: $label", async (vector) => {
    const { started, inspect } = await startWith(vector);
    expect(started.status).toBe(204);
    expect(inspect.NetworkSettings.Ports).toEqual((vector.startBody as { PortBindings: Ports }).PortBindings);
  });

  // The recording engine honoured them below 1.24.
  test.each(naming.filter((vector) => !isHonoured(vector)))(
    "are rejected from 1.12 on, API $apiVersion: $label",
    async (vector) => {
      const { started, inspect } = await startWith(vector);
      expect(started.status).toBe(400);
      expect(messageOf(started.text)).toMatch(/create|non-empty request body/);
      expect(inspect.State.Status).toBe("created");
      expect(inspect.NetworkSettings.Ports).toEqual({});
      const before = vector.createBody.HostConfig?.PortBindings;
      expect(inspect.HostConfig.PortBindings ?? {}).toEqual(before === undefined ? {} : expect.anything());
    },
  );
});

describe("PortSpecs", () => {
  const rejected = vectors.legacyPortSpecs.filter(({ expect: wanted }) => "status" in wanted);
  const exposing = vectors.legacyPortSpecs.filter(({ expect: wanted }) => !("status" in wanted));

  test.each(rejected)("are rejected, API $apiVersion: $why", async ({ apiVersion, body, expect: wanted }) => {
    const { status, messageContains = "" } = wanted as Extract<typeof wanted, { status: number }>;
    const created = await create(apiVersion, JSON.stringify(body));
    expect(created.status).toBe(status);
    expect(messageOf(created.text)).toContain(messageContains);
  });

  test.each(exposing)("expose and never bind, API $apiVersion: $why", async ({ apiVersion, body, expect: wanted }) => {
    const { exposed, bindings } = wanted as Extract<typeof wanted, { bindings: object }>;
    const created = await create(apiVersion, JSON.stringify(body));
    expect(created.status).toBe(201);
    const { Config, HostConfig } = await inspected("1.41", created.json.Id);
    expect(Object.keys(Config.ExposedPorts ?? {}).sort()).toEqual(exposed);
    expect(HostConfig.PortBindings ?? {}).toEqual(bindings);
  });
});

describe("conflicts between two containers", () => {
  test.each(vectors.conflicts)("$label", async ({ first, second, expectSecond }) => {
    const one = await publication("pt-c1", first);
    expect((await berth.ask("POST", `/v1.41/containers/${one}/start`)).status).toBe(204);
    const two = await publication("pt-c2", second);
    const started = await berth.ask("POST", `/v1.41/containers/${two}/start`);
    expect(started.status).toBe(expectSecond.start);
    if (started.status === 500) {
      // The message is the same whether the ports are equal or one covers the other, and then names the holder.
      const address = (second.ip || "0.0.0.0").replaceAll(":", "\\:");
      expect(started.json.message).toMatch(
        new RegExp(
          `^failed to set up container networking: driver failed programming external connectivity on endpoint pt-c2 \\([0-9a-f]{64}\\): Bind for \\[?${address}\\]?:${second.hostPort.split("-")[0]} failed: port is already allocated`,
        ),
      );
      expect(started.json.message).toContain("pt-c1");
    }
    const after = await inspected("1.41", two);
    expect(after.State.Status).toBe(expectSecond.state);
    expect(after.NetworkSettings.Ports).toEqual(expectSecond.ports);
  });
});

async function publication(name: string, { ip, hostPort, key }: Publication): Promise<string> {
  const body = {
    Image: "busybox:latest",
    Cmd: ["sleep", "300"],
    ExposedPorts: { [key]: {} },
    HostConfig: { PortBindings: { [key]: [{ HostIp: ip, HostPort: hostPort }] } },
  };
  const created = await create("1.41", JSON.stringify(body), json, name);
  expect(created.status).toBe(201);
  return created.json.Id;
}

describe("ports in inspect over a container's life", () => {
  const life = vectors.inspectPorts.filter(({ label }) => label.startsWith("lifecycle"));
  const running = life.find(({ state }) => state === "running")?.ports as Ports;
  test.each(life)("$label", async ({ state = "", ExposedPorts, PortBindings, ports }) => {
    const body = { Image: "busybox:latest", Cmd: ["sleep", "300"], ExposedPorts, HostConfig: { PortBindings } };
    const { json: created } = await create("1.41", JSON.stringify(body));
    const steps: Record<string, readonly string[]> = {
      created: [],
      running: ["start"],
      paused: ["start", "pause"],
      exited: ["start", "stop?t=0"],
      killed: ["start", "kill"],
    };
    for (const step of steps[state] ?? []) await berth.expect([204], "POST", `/v1.41/containers/${created.Id}/${step}`);
    if (state === "killed") await berth.expect([200], "POST", `/v1.41/containers/${created.Id}/wait`);
    const after = await inspected("1.41", created.Id);
    const wanted = state === "paused" ? running : (ports as Ports);
    expect(comparable(after.NetworkSettings.Ports, wanted)).toEqual(wanted);
  });

  test.each(vectors.inspectPorts.filter(({ label }) => label.startsWith("created at")))(
    "$label",
    async ({ apiVersion = "", ExposedPorts }) => {
      const { json: created } = await create(apiVersion, JSON.stringify({ Image: "busybox:latest", ExposedPorts }));
      const before = await inspected(apiVersion, created.Id);
      expect(before.NetworkSettings.Ports).toBeNull();
      expect(before.NetworkSettings).not.toHaveProperty("Networks");
      expect(before.NetworkSettings.PortMapping).toBeNull();
      for (const version of ["1.21", "1.41", "1.51"])
        expect((await inspected(version, created.Id)).NetworkSettings.PortMapping).toBeNull();
    },
  );
});
