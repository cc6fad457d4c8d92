import { decide } from "@berth/directory-domain";
import { expect, test } from "vitest";
import { parseCaller, parseEffective, readable } from "./parse.ts";
import { DirectoryUnavailable } from "./request.ts";

const SUBJECT = { id: 1, login: "ann", role: "user", active: true };
const BASELINE = {
  hostPorts: [{ start: 1024, end: 65_535 }],
  hostInterfaces: ["*"],
  images: ["*"],
  mounts: [],
  privileges: [],
  networks: [],
  subnets: ["172.31.0.0/16"],
  quotas: { containers: 20 },
};
const LIMIT = {
  id: 5,
  owner: { type: "group", id: 3, name: "web" },
  kind: "images",
  effect: "limit",
  patterns: ["docker.io/*"],
  expiresAt: null,
};
const WEB = { id: 3, name: "web" };
const ANSWER = {
  subject: SUBJECT,
  version: "1:1",
  baseline: BASELINE,
  constraints: [LIMIT],
  unreadable: [],
  groups: [WEB],
};

test("reads an answer with effective constraints", () => {
  const { effective, version } = parseEffective(ANSWER);
  expect(version).toBe("1:1");
  expect(effective).toEqual({
    subject: SUBJECT,
    baseline: BASELINE,
    constraints: [LIMIT],
    unreadable: [],
    groups: [WEB],
  });
});

test("keeps a constraint of an unknown kind as unreadable, so that the user is refused", () => {
  const unknown = { ...LIMIT, kind: "colour" };
  const { effective } = parseEffective({ ...ANSWER, constraints: [unknown] });
  expect(effective.unreadable).toEqual([{ id: 5, owner: LIMIT.owner, kind: "colour" }]);
  expect(decide({}, effective).allowed).toBe(false);
});

test.each([
  ["no object", "text"],
  ["no subject", { ...ANSWER, subject: undefined }],
  ["an unknown role", { ...ANSWER, subject: { ...SUBJECT, role: "king" } }],
  ["a baseline with a port that is none", { ...ANSWER, baseline: { ...BASELINE, hostPorts: [{ start: 0 }] } }],
  ["a constraint without an owner", { ...ANSWER, constraints: [{ ...LIMIT, owner: {} }] }],
])("treats %s as no answer", (_name, answer) => {
  expect(() => readable(() => parseEffective(answer))).toThrow(DirectoryUnavailable);
});

test("reads who a token belongs to", () => {
  expect(parseCaller({ ...SUBJECT, scopes: ["read"], email: "ann@example.test" })).toEqual({
    ...SUBJECT,
    scopes: ["read"],
  });
});
