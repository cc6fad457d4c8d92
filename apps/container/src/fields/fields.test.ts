import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CONFIG_ROWS, HEALTH_ROWS } from "./config.testing.ts";
import { ENDPOINT_ROWS, IPAM_ROWS } from "./endpoint.testing.ts";
import { HOST_CONFIG_ROWS, LOG_ROWS, RESTART_ROWS } from "./host-config.testing.ts";
import {
  BIND_ROWS,
  IMAGE_ROWS,
  MOUNT_ROWS,
  MOUNTS,
  READONLY_BIND_ROWS,
  TMPFS_ROWS,
  VOLUME_DRIVER_ROWS,
  VOLUME_ROWS,
} from "./mount.testing.ts";
import { type Outcome, openProbe } from "./probe.testing.ts";
import type { Row } from "./row.testing.ts";

type Rows = Readonly<Record<string, Row | readonly Row[]>>;
type Place = (field: object) => object;

function inBody(field: object): object {
  return field;
}

function inHost(field: object): object {
  return { HostConfig: field };
}

function inMount(mount: object, options?: string): Place {
  return (field) => inHost({ Mounts: [{ ...mount, ...(options === undefined ? field : { [options]: field }) }] });
}

function inEndpoint(field: object): object {
  return { HostConfig: { NetworkMode: "n" }, NetworkingConfig: { EndpointsConfig: { n: field } } };
}

/** Each part of the body: its name, its rows, and where a field of it stands. */
const PARTS: readonly (readonly [name: string, rows: Rows, place: Place])[] = [
  ["", CONFIG_ROWS, inBody],
  ["Healthcheck", HEALTH_ROWS, (field) => ({ Healthcheck: field })],
  ["HostConfig", HOST_CONFIG_ROWS, inHost],
  ["HostConfig.LogConfig", LOG_ROWS, (field) => inHost({ LogConfig: field })],
  ["HostConfig.RestartPolicy", RESTART_ROWS, (field) => inHost({ RestartPolicy: field })],
  ["HostConfig.Mounts", MOUNT_ROWS, inMount(MOUNTS.bind)],
  ["HostConfig.Mounts.BindOptions", BIND_ROWS, inMount(MOUNTS.bind, "BindOptions")],
  ["a read-only bind", READONLY_BIND_ROWS, inMount({ ...MOUNTS.bind, ReadOnly: true }, "BindOptions")],
  ["HostConfig.Mounts.VolumeOptions", VOLUME_ROWS, inMount(MOUNTS.volume, "VolumeOptions")],
  [
    "HostConfig.Mounts.VolumeOptions.DriverConfig",
    VOLUME_DRIVER_ROWS,
    (field) => inMount(MOUNTS.volume, "VolumeOptions")({ DriverConfig: field }),
  ],
  ["HostConfig.Mounts.TmpfsOptions", TMPFS_ROWS, inMount(MOUNTS.tmpfs, "TmpfsOptions")],
  ["HostConfig.Mounts.ImageOptions", IMAGE_ROWS, inMount(MOUNTS.image, "ImageOptions")],
  ["NetworkingConfig.EndpointsConfig", ENDPOINT_ROWS, inEndpoint],
  ["NetworkingConfig.EndpointsConfig.IPAMConfig", IPAM_ROWS, (field) => inEndpoint({ IPAMConfig: field })],
];

const CASES = PARTS.flatMap(([part, rows, place]) =>
  Object.entries(rows).flatMap(([field, row]) =>
    [row].flat().map((one: Row) => ({ path: part === "" ? field : `${part}.${field}`, field, row: one, place })),
  ),
);

/** Two bodies as one, objects merged; `over` wins. */
function merged(body: object, over: object): object {
  const entries = Object.entries(over).map(([name, value]) => {
    const before: unknown = Reflect.get(body, name);
    const both = [before, value].every((one) => typeof one === "object" && one !== null && !Array.isArray(one));
    return [name, both ? merged(before as object, value as object) : value];
  });
  return { ...body, ...Object.fromEntries(entries) };
}

let probe: Awaited<ReturnType<typeof openProbe>>;
let bare: typeof probe;

beforeAll(async () => {
  [probe, bare] = await Promise.all([openProbe(), openProbe({ apparmor: false })]);
  for (const one of [probe, bare]) {
    await one.network("n", "10.77.0.0/16");
    await one.peer("donor", { Volumes: { "/donated": {} }, NetworkingConfig: { EndpointsConfig: { bridge: {} } } });
  }
});

afterAll(async () => {
  await Promise.all([probe.close(), bare.close()]);
});

function created(outcome: Outcome) {
  if (outcome.kind === "refused") throw new Error(`refused: ${outcome.message}`);
  return outcome;
}

describe("each field of a create request", () => {
  it.each(CASES)("$path: $row.kind $row.given", async ({ field, row, place }) => {
    const machine = row.host?.apparmor === false ? bare : probe;
    const without = merged(place({}), row.beside ?? {});
    const body = merged(without, place({ [field]: row.given }));
    const outcome = await machine.look(body, row.version);
    if (row.kind === "refused") {
      expect(outcome).toEqual({ kind: "refused", message: expect.stringContaining(row.message) });
      return;
    }
    const { seen, warnings } = created(outcome);
    if (row.kind === "warned") {
      expect(warnings).toEqual([expect.stringContaining(row.message)]);
      return;
    }
    expect(warnings).toEqual([]);
    if (row.kind === "output") return;
    const before = created(await machine.look(without, row.version)).seen;
    if (row.kind === "effective") expect(row.look(seen)).toEqual(row.shows);
    expect(row.look(before)).not.toEqual(row.look(seen));
  });

  it("has a row if dockerd 28.5.2 shows it in inspect", () => {
    const text = readFileSync(
      new URL("../../../../conformance/traffic/dockerd-1.51.fixture.json", import.meta.url),
      "utf8",
    );
    const shown = [...new Set([...text.matchAll(/"\/HostConfig\/(\w+)"/g)].map(([, field = ""]) => field))];
    expect(shown.length).toBeGreaterThan(50);
    const known = new Set(PARTS.flatMap(([part, rows]) => [part.replace(/^HostConfig\./, ""), ...Object.keys(rows)]));
    expect(shown.filter((field) => !known.has(field))).toEqual([]);
  });
});
