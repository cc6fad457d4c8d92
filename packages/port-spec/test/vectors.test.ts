import { describe, expect, test } from "vitest";
import {
  addLeases,
  formatPorts,
  inspectPorts,
  NO_LEASES,
  parsePortSpec,
  type ResolvedPorts,
  resolveCreatePorts,
  toEngine,
} from "../src/index.ts";
import { parseCreatePorts } from "../src/json/index.ts";
import {
  type BoundOutcome,
  type ConflictSide,
  comparable,
  decisions,
  dynamicAsText,
  expected,
  fixture,
  needsService,
  play,
  publish,
  vectors,
} from "./vectors.testing.ts";

type SpecOutcome = { readonly out?: BoundOutcome | undefined; readonly error?: string | undefined };

function specOutcome(text: string): SpecOutcome {
  const spec = parsePortSpec(text);
  if (!spec.ok) return { error: spec.error.message };
  const { ExposedPorts, PortBindings } = toEngine([spec.value]);
  return { out: { exposed: Object.keys(ExposedPorts).sort(), bindings: PortBindings } };
}

describe("port specs as the CLI reads them", () => {
  test.each(vectors.portSpec)("$in", ({ in: text, out, error }) => {
    const recorded: SpecOutcome =
      error === undefined && out ? { out: { ...out, exposed: [...out.exposed].sort() } } : { error };
    const { out: wanted, error: refused } = expected("portSpec", text, recorded);
    expect(specOutcome(text)).toEqual(refused === undefined ? { out: wanted } : { error: refused });
  });
});

interface CliCase {
  readonly in: string;
  readonly bindings?: BoundOutcome["bindings"];
  readonly error?: string;
}

describe("port specs through docker create", () => {
  test.each(fixture<readonly CliCase[]>("cli-cases.fixture.json"))("$in", ({ in: text, bindings, error }) => {
    const outcome = specOutcome(text);
    expect({ bindings: outcome.out?.bindings, error: outcome.error }).toEqual({ bindings, error });
  });
});

interface BugCase {
  readonly id: string;
  readonly source: string;
  readonly input: { readonly fn: "parsePortSpecs" | "formatPorts"; readonly calls: readonly [never][] };
  readonly expect: readonly unknown[];
}

describe("faults other tools had", () => {
  test.each(fixture<readonly BugCase[]>("bug-cases.fixture.json"))("$id $source", ({ input, expect: outcomes }) => {
    expect(outcomes).toHaveLength(input.calls.length);
    for (const [index, [argument]] of input.calls.entries()) {
      const outcome = input.fn === "formatPorts" ? formatPorts(argument) : boundPorts(argument);
      expect(outcome).toEqual(outcomes[index]);
    }
  });

  function boundPorts(text: string) {
    const spec = parsePortSpec(text);
    if (!spec.ok) return { error: spec.error.message.replace(/:.*/s, "") };
    return Object.entries(toEngine([spec.value]).PortBindings).flatMap(([container, bindings]) =>
      bindings.map(({ HostIp, HostPort }) => ({ container, hostIp: HostIp, hostPort: HostPort })),
    );
  }
});

const pureCreate = vectors.createRequest.filter((entry) => !needsService("createRequest", nameOf(entry)));

/** Resolves an untyped create body. */
function resolve(body: unknown) {
  const request = parseCreatePorts(body);
  return request.ok ? resolveCreatePorts(request.value) : request;
}

function nameOf({ apiVersion, label }: { readonly apiVersion: string; readonly label: string }): string {
  return `${apiVersion} ${label}`;
}

describe("create requests", () => {
  test.each(pureCreate)("$apiVersion $label", (entry) => {
    const recorded = expected("createRequest", nameOf(entry), entry.expect);
    expect(comparable(play(entry.apiVersion, entry.body))).toEqual(comparable(recorded));
  });
});

describe("HostConfig at start", () => {
  test.each(vectors.startHostConfig)("$apiVersion $label", (entry) => {
    const recorded = expected("startHostConfig", nameOf(entry), entry.expect);
    expect(comparable(play(entry.apiVersion, entry.createBody, entry.startBody))).toEqual(comparable(recorded));
  });
});

describe("legacy PortSpecs", () => {
  test.each(vectors.legacyPortSpecs.map((entry) => ({ ...entry, name: JSON.stringify(entry.body.PortSpecs) })))(
    "$apiVersion $name",
    ({ body, expect: recorded }) => {
      const resolved = resolve(body);
      if (recorded.status === undefined) {
        expect(resolved).toMatchObject({ ok: true, value: { wishes: [], portBindings: null } });
        expect(resolved.ok && Object.keys(resolved.value.exposedPorts).sort()).toEqual(recorded.exposed);
      } else {
        expect(recorded.status).toBe(400);
        expect(resolved.ok ? "" : resolved.error.message).toContain(recorded.messageContains ?? "PortSpecs");
      }
    },
  );
});

function bound({ ip, hostPort, key }: ConflictSide): ResolvedPorts {
  const resolved = resolveCreatePorts({
    HostConfig: { PortBindings: { [key]: [{ HostIp: ip, HostPort: hostPort }] } },
  });
  if (!resolved.ok) throw new Error(resolved.error.message);
  return resolved.value;
}

describe("conflicts between two containers", () => {
  test.each(vectors.conflicts)("$label", ({ label, first, second, expectSecond }) => {
    const { start, body, ports } = expected("conflicts", label, expectSecond);
    const held = publish("pt-c1", bound(first), NO_LEASES);
    const given = publish("pt-c2", bound(second), held.ok ? addLeases(NO_LEASES, held.value) : NO_LEASES);
    expect(held.ok).toBe(true);
    expect(given.ok ? 204 : 500).toBe(start);
    expect(given.ok ? null : given.message).toBe(body?.message ?? null);
    const status = given.ok ? "running" : "created";
    const assignments = given.ok ? given.value : [];
    expect(inspectPorts({ status, exposed: bound(second).exposed, assignments, apiVersion: "1.41" }).Ports).toEqual(
      ports,
    );
  });
});

const pureInspect = vectors.inspectPorts.filter(({ label }) => !needsService("inspectPorts", label));

describe("NetworkSettings.Ports", () => {
  test.each(pureInspect)("$label", (entry) => {
    const wanted = expected<typeof entry & { readonly create?: { readonly status: number } }>(
      "inspectPorts",
      entry.label,
      entry,
    );
    const body = { ExposedPorts: entry.ExposedPorts, HostConfig: { PortBindings: entry.PortBindings } };
    const resolved = resolve(body);
    expect(resolved.ok).toBe(wanted.create?.status !== 400);
    if (!resolved.ok) return;
    const given = publish("pt-b", resolved.value, NO_LEASES);
    const seen = (status: string) => {
      const assignments = given.ok ? given.value : [];
      const apiVersion = entry.apiVersion ?? "1.41";
      return dynamicAsText(inspectPorts({ status, exposed: resolved.value.exposed, assignments, apiVersion }).Ports);
    };
    if (wanted.created !== undefined) expect(seen("created")).toEqual(wanted.created);
    if (wanted.afterStart !== undefined) expect(seen("running")).toEqual(wanted.afterStart);
    if (wanted.ports === "same as running") expect(seen("paused")).toEqual(seen("running"));
    else if (wanted.ports !== undefined)
      expect(seen(wanted.state === "killed" ? "exited" : (wanted.state ?? ""))).toEqual(wanted.ports);
  });
});

describe("the PORTS column of docker ps", () => {
  test.each(vectors.listPorts)("$why", ({ ports, display }) => {
    expect(formatPorts(ports)).toBe(display);
  });
});

describe("the table of decisions", () => {
  test.each(decisions.cases)("$section $case names a recorded case and a known decision", (entry) => {
    const names = {
      portSpec: vectors.portSpec.map((recorded) => recorded.in),
      createRequest: vectors.createRequest.map(nameOf),
      startHostConfig: vectors.startHostConfig.map(nameOf),
      conflicts: vectors.conflicts.map(({ label }) => label),
      inspectPorts: vectors.inspectPorts.map(({ label }) => label),
      versionNegotiation: vectors.versionNegotiation.map(({ method, path }) => `${method} ${path}`),
    }[entry.section];
    expect(names).toContain(entry.case);
    expect(Object.keys(decisions.decisions)).toEqual(expect.arrayContaining([...entry.decisions]));
    expect(entry.decisions.length > 0).toBe(entry.expect !== undefined);
  });
});
