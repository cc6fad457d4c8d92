import { parseConstraint } from "@berth/directory-domain";
import { expect, test } from "vitest";
import { type Draft, draftOf, NEW_DRAFT, readDraft } from "./draft.ts";

const OWNED = { id: 1, owner: { type: "user", id: 7 } } as const;

test.each([
  {
    kind: "host-ports",
    effect: "limit",
    ports: [
      { start: 8000, end: 8099 },
      { start: 53, end: 53, protocol: "udp" },
    ],
  },
  { kind: "host-interfaces", effect: "deny", addresses: ["127.0.0.1", "10.0.0.0/8"] },
  { kind: "images", effect: "limit", patterns: ["docker.io/library/nginx*"] },
  { kind: "mounts", effect: "grant", folders: [{ path: "/srv", readOnly: true }] },
  { kind: "privileges", effect: "grant", privileges: ["host-network", "capability:NET_ADMIN"] },
  { kind: "networks", effect: "grant", names: ["7/shop_back"] },
  { kind: "subnets", effect: "grant", subnets: ["10.1.0.0/16"] },
  { kind: "quota", effect: "limit", resource: "memory", max: 1_073_741_824 },
  { kind: "shared-quota", effect: "limit", resource: "cpu", max: 1.5 },
  { kind: "images", effect: "limit", patterns: [] },
] as const)("reads back $kind as it was", (rule) => {
  const shown = { ...OWNED, ...rule, note: "why", expiresAt: "2030-01-31T08:00:00.000Z" };
  const draft = draftOf(shown);
  expect(draft && readDraft(draft)).toEqual({ ok: true, value: { ...rule, note: "why", expiresAt: shown.expiresAt } });
  expect(parseConstraint(rule)).toMatchObject({ ok: true });
});

test.each([
  [
    { lines: "80, 443/tcp\n 8000–8010 " },
    [
      { start: 80, end: 80 },
      { start: 443, end: 443, protocol: "tcp" },
      { start: 8000, end: 8010 },
    ],
  ],
  [{ lines: "" }, []],
] as const)("reads the ports of %j", (changes, ports) =>
  expect(readDraft({ ...NEW_DRAFT, ...changes })).toMatchObject({ ok: true, value: { ports } }),
);

test.each<Partial<Draft>>([
  { lines: "0" },
  { lines: "80/what" },
  { lines: "99999" },
  { kind: "quota", amount: "" },
  { kind: "quota", resource: "memory", amount: "much" },
  { kind: "quota", resource: "cpu", amount: "-1" },
])("says what is wrong with %j", (changes) =>
  expect(readDraft({ ...NEW_DRAFT, ...changes })).toMatchObject({ ok: false, error: expect.stringMatching(/./) }),
);

test("knows 512m and capabilities in every spelling", () => {
  expect(readDraft({ ...NEW_DRAFT, kind: "quota", resource: "memory", amount: "512m" })).toMatchObject({
    value: { max: 536_870_912 },
  });
  expect(readDraft({ ...NEW_DRAFT, kind: "privileges", capabilities: "cap_net_admin, SYS_PTRACE" })).toMatchObject({
    value: { privileges: ["capability:NET_ADMIN", "capability:SYS_PTRACE"] },
  });
});

test("leaves a kind that it does not know alone", () =>
  expect(draftOf({ ...OWNED, kind: "tides", effect: "limit" })).toBeUndefined());
