import { afterEach, describe, expect, test } from "vitest";
import { decided, refusedAtCreate, refusedAtStart, startsAnyway, warned } from "./decisions.testing.ts";
import { sharedBerth } from "./shared-berth.testing.ts";
import {
  type Bound,
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

async function listed(id: string): Promise<object[]> {
  const { json: containers } = await berth.expect([200], "GET", "/v1.41/containers/json?all=true");
  return containers.find(({ Id }: { Id: string }) => Id === id).Ports;
}

function at(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);
}

/** A dynamic port as the vectors write it, once it is known to be one. */
function veiled(port: string | number): string {
  return Number(port) >= 32768 && Number(port) < 61000 ? "<dyn>" : String(port);
}

/** Ports as the vectors have them: `<dyn>` where theirs is, so that a fixed port in its place is seen. */
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

const rules = Object.entries(refusedAtCreate).flatMap(([rule, labels]) =>
  Object.entries(labels).map(([label, says]) => ({ rule, label, says })),
);

describe("create requests", () => {
  test.each(vectors.createRequest.map((vector) => ({ ...vector, api: `API ${vector.apiVersion}` })))(
    "$label, $api",
    async (vector) => {
      const { label, apiVersion, body, rawBody, contentType, expect: course } = vector;
      const raw = rawBody || body === undefined ? (body as string | undefined) : JSON.stringify(body);
      const headers: Record<string, string> = rawBody ? (contentType ? { "content-type": contentType } : {}) : json;
      const created = await create(apiVersion, raw, headers);

      const rule = rules.find((one) => one.label === label);
      if (rule || course.create.status >= 400) {
        expect(created.status).toBe(rule ? 400 : course.create.status);
        if (rule) expect(messageOf(created.text)).toMatch(rule.says);
        else expect(messageOf(created.text)).toContain(recordedMessage(course.create));
        return;
      }
      expect(created.status).toBe(201);
      if (warned.includes(label)) expect(created.json.Warnings).toHaveLength(1);
      else expect(created.json.Warnings ?? []).toEqual(course.create.warnings);

      const { Id } = created.json;
      const wanted = decided(typeof body === "object" ? body : {}, course, label);
      const before = await inspected(apiVersion, Id);
      for (const [path, value] of Object.entries(wanted.inspectAfterCreate ?? {}))
        expect({ path, value: at(before, path) ?? null }).toEqual({ path, value });

      const started = await berth.ask("POST", `/v${apiVersion}/containers/${Id}/start`);
      const refusal = refusedAtStart[label];
      expect(started.status).toBe(refusal ? 500 : startsAnyway.includes(label) ? 204 : course.start?.status);
      if (refusal) expect(messageOf(started.text)).toMatch(refusal);
      else if (started.status >= 400)
        expect(messageOf(started.text)).toContain(recordedMessage(course.start ?? { status: 0 }).split(" (")[0]);

      const after = await inspected(apiVersion, Id);
      const ports = (wanted.inspectAfterStart?.["NetworkSettings.Ports"] ?? {}) as Ports;
      expect(comparable(after.NetworkSettings.Ports, ports)).toEqual(ports);
      expect(after.State.Status).toBe(started.status < 400 ? "running" : "created");
      if (started.status >= 400) expect(after.State).toMatchObject({ ExitCode: 128, Error: messageOf(started.text) });
      sameNumberInBothFamilies(after.NetworkSettings.Ports);

      const list = (await listed(Id)).map((item) => ("PublicPort" in item ? item : item)) as { PublicPort?: number }[];
      const wantedList = wanted.listPorts as { PublicPort?: number | string }[];
      expect(
        sorted(
          list.map((item) =>
            item.PublicPort && wantedList.some((one) => one.PublicPort === "<dyn>")
              ? { ...item, PublicPort: veiled(item.PublicPort) }
              : item,
          ),
        ),
      ).toEqual(sorted(wantedList));
    },
  );
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

describe("bindings in the body of start", () => {
  const cases: readonly StartCase[] = [
    ...vectors.startHostConfig,
    // Before the range of the recording engine.
    ...(["1.9", "1.10", "1.11"] as const).map((apiVersion) => ({
      apiVersion,
      label: "start HC PB",
      createBody: { Image: "busybox:latest", Cmd: ["sleep", "300"], ExposedPorts: { "80/tcp": {} } },
      startBody: { PortBindings: { "80/tcp": [{ HostIp: "127.0.0.1", HostPort: "23122" }] } },
    })),
  ];
  test.each(cases)("API $apiVersion: $label", async ({ apiVersion, label, createBody, startBody }) => {
    const created = await create(apiVersion, JSON.stringify(createBody));
    expect(created.status).toBe(201);
    const { Id } = created.json;
    const started = await berth.ask("POST", `/v${apiVersion}/containers/${Id}/start`, { json: startBody });
    const after = await inspected("1.41", Id);
    const minor = Number(apiVersion.split(".")[1]);
    if (label === "start empty") {
      expect(started.status).toBe(204);
      expect(after.State.Status).toBe("running");
    } else if (minor < 12) {
      expect(started.status).toBe(204);
      expect(after.NetworkSettings.Ports).toEqual((startBody as { PortBindings: Ports }).PortBindings);
    } else {
      // Berth's rule from 1.12 on; the recording engine honoured them below 1.24.
      expect(started.status).toBe(400);
      expect(messageOf(started.text)).toMatch(/create|non-empty request body/);
      expect(after.State.Status).toBe("created");
      expect(after.NetworkSettings.Ports).toEqual({});
      expect(after.HostConfig.PortBindings ?? {}).toEqual(
        createBody.HostConfig?.PortBindings === undefined ? {} : expect.anything(),
      );
    }
  });
});

describe("PortSpecs", () => {
  test.each(vectors.legacyPortSpecs)("API $apiVersion: $why", async ({ apiVersion, body, expect: wanted }) => {
    const created = await create(apiVersion, JSON.stringify(body));
    if ("status" in wanted) {
      expect(created.status).toBe(wanted.status);
      expect(messageOf(created.text)).toContain(wanted.messageContains ?? "");
      return;
    }
    expect(created.status).toBe(201);
    const { Config, HostConfig } = await inspected("1.41", created.json.Id);
    expect(Object.keys(Config.ExposedPorts ?? {}).sort()).toEqual(wanted.exposed);
    expect(HostConfig.PortBindings ?? {}).toEqual(wanted.bindings);
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
      // Always these words, whether the ports are equal or one covers the other, and then who holds it.
      const address = (second.ip || "0.0.0.0").replaceAll(":", "\\:");
      expect(started.json.message).toMatch(
        new RegExp(
          `^driver failed programming external connectivity on endpoint pt-c2 \\([0-9a-f]{64}\\): Bind for \\[?${address}\\]?:${second.hostPort.split("-")[0]} failed: port is already allocated`,
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
      // Null below API 1.21, absent from there on.
      expect(before.NetworkSettings.PortMapping).toBeNull();
      expect((await inspected("1.21", created.Id)).NetworkSettings).not.toHaveProperty("PortMapping");
    },
  );
});
