import { expect, test } from "vitest";
import { parseConstraint } from "./parse-constraint.ts";

function many(n: number) {
  return Array.from({ length: n }, () => ({ start: 1, end: 1 }));
}

test.each([
  ["no object", 5, "", "must be an object"],
  ["no effect", { kind: "images", patterns: [] }, "/effect", "must be one of"],
  ["unknown kind", { effect: "limit", kind: "colour" }, "/kind", "must be one of"],
  ["a kind of the prototype", { effect: "limit", kind: "constructor" }, "/kind", "must be one of"],
  [
    "reversed range",
    { effect: "grant", kind: "host-ports", ports: [{ start: 90, end: 80 }] },
    "/ports/0/end",
    "must not be below start",
  ],
  ["port 0", { effect: "grant", kind: "host-ports", ports: [{ start: 0, end: 80 }] }, "/ports/0/start", "1 to 65535"],
  [
    "port 65536",
    { effect: "grant", kind: "host-ports", ports: [{ start: 1, end: 65_536 }] },
    "/ports/0/end",
    "1 to 65535",
  ],
  ["port 1.5", { effect: "grant", kind: "host-ports", ports: [{ start: 1.5 }] }, "/ports/0/start", "whole number"],
  ["port as text", { effect: "grant", kind: "host-ports", ports: [{ start: "80" }] }, "/ports/0/start", "whole number"],
  [
    "bad protocol",
    { effect: "grant", kind: "host-ports", ports: [{ start: 80, protocol: "icmp" }] },
    "/ports/0/protocol",
    "must be one of",
  ],
  ["too many ranges", { effect: "grant", kind: "host-ports", ports: many(1_001) }, "/ports", "at most 1000"],
  ["a network's path", { effect: "grant", kind: "networks", names: ["7/a/b"] }, "/names/0", "OWNER/NAME"],
  ["no subnet", { effect: "grant", kind: "subnets", subnets: ["10.0.0.0/33"] }, "/subnets/0", "CIDR"],
  ["CIDR /33", { effect: "limit", kind: "host-interfaces", addresses: ["10.0.0.0/33"] }, "/addresses/0", "CIDR"],
  ["zone", { effect: "limit", kind: "host-interfaces", addresses: ["fe80::1%eth0"] }, "/addresses/0", "zone"],
  ["nine stars", { effect: "limit", kind: "images", patterns: ["*a*a*a*a*a*a*a*a*"] }, "/patterns/0", "at most 8"],
  ["empty pattern", { effect: "limit", kind: "images", patterns: [""] }, "/patterns/0", "1 to 512"],
  ["relative path", { effect: "deny", kind: "mounts", folders: [{ path: "srv" }] }, "/folders/0/path", "absolute"],
  ["path with NUL", { effect: "deny", kind: "mounts", folders: [{ path: "/a\0" }] }, "/folders/0/path", "NUL"],
  [
    "unknown privilege",
    { effect: "deny", kind: "privileges", privileges: ["root"] },
    "/privileges/0",
    "capability:NAME",
  ],
  ["quota deny", { effect: "deny", kind: "quota", resource: "memory", max: 1 }, "/effect", "max 0"],
  ["quota NaN", { effect: "limit", kind: "quota", resource: "memory", max: Number.NaN }, "/max", "number"],
  ["quota -1", { effect: "limit", kind: "quota", resource: "memory", max: -1 }, "/max", "number"],
  [
    "quota 1e400",
    { effect: "limit", kind: "quota", resource: "memory", max: Number.POSITIVE_INFINITY },
    "/max",
    "number",
  ],
  ["quota 2^63", { effect: "limit", kind: "quota", resource: "memory", max: 2 ** 63 }, "/max", "number"],
  ["quota as text", { effect: "limit", kind: "quota", resource: "memory", max: "5" }, "/max", "number"],
  ["half a container", { effect: "limit", kind: "quota", resource: "containers", max: 0.5 }, "/max", "whole"],
])("refuses %s", (_name, input, pointer, detail) => {
  const parsed = parseConstraint(input);
  expect(parsed).toMatchObject({ ok: false, error: { pointer, detail: expect.stringContaining(detail) } });
});

test.each([
  [
    { effect: "grant", kind: "host-ports", ports: [{ start: 80, extra: 1 }] },
    { effect: "grant", kind: "host-ports", ports: [{ start: 80, end: 80 }] },
  ],
  [
    { effect: "deny", kind: "mounts", folders: [{ path: "/srv//a/../b/" }] },
    { effect: "deny", kind: "mounts", folders: [{ path: "/srv/b", readOnly: false }] },
  ],
  [
    { effect: "grant", kind: "privileges", privileges: ["capability:cap_net_admin", "capability:all", "devices"] },
    { effect: "grant", kind: "privileges", privileges: ["capability:NET_ADMIN", "capability:ALL", "devices"] },
  ],
  [
    { effect: "limit", kind: "quota", resource: "cpu", max: 0.5, owner: "mallory" },
    { effect: "limit", kind: "quota", resource: "cpu", max: 0.5 },
  ],
])("reads %j into its one form", (input, value) => expect(parseConstraint(input)).toEqual({ ok: true, value }));
