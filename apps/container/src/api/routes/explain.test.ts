import { decide } from "@berth/directory-domain";
import { expect, test } from "vitest";
import type { CreateRequest } from "../../containers/records/config.ts";
import type { Explanation } from "../../containers/records/explanation.ts";
import type { Actor } from "../../engine/actor.ts";
import { EngineError } from "../../engine/errors.ts";
import { user } from "../../engine/user.testing.ts";
import { appWith } from "./app.testing.ts";

const NOTHING: Explanation = { decision: undefined, refusal: undefined, ports: [], conflict: undefined, warnings: [] };
const ANN = user(1);
const BODY = { Image: "nginx", HostConfig: { PortBindings: { "80/tcp": [{ HostPort: "8080" }] } } };

/** Asks the route, and tells what the use case was asked. */
async function asked(
  method: string,
  target: string,
  {
    body,
    found = NOTHING,
    as,
  }: {
    readonly body?: unknown;
    readonly found?: Explanation;
    readonly as?: Actor;
  } = {},
) {
  const calls: [Actor, CreateRequest][] = [];
  const explain = async (actor: Actor, request: CreateRequest) => {
    calls.push([actor, request]);
    return found;
  };
  const whoseLogin = async (login: string) => ({ ...ANN, login });
  const enter = (actor: Actor, name: string): Actor => {
    if (name !== "ci") throw new EngineError("not-found", `user ${actor.login} has no place ${name} on this host`);
    return { ...user(1), login: actor.login, id: "1@ci", place: { name, memory: 1, cpu: 1 } };
  };
  const { request } = appWith({
    containers: { explain },
    whoseLogin,
    places: { enter },
    ...(as === undefined ? {} : { identify: async () => as }),
  });
  const response = await request(method, target, body);
  return { status: response.status, json: (await response.json()) as Record<string, unknown>, calls };
}

test.each([
  ["POST", "/berth/explain", BODY],
  ["POST", "/v1.41/berth/explain", BODY],
  ["GET", `/berth/explain?create=${encodeURIComponent(JSON.stringify(BODY))}`, undefined],
  ["GET", "/berth/explain?image=nginx&publish=8080:80", undefined],
])("reads the wish of %s %s", async (method, target, body) => {
  const { status, calls } = await asked(method, target, { body });
  expect(status).toBe(200);
  const [, request] = calls[0] ?? [];
  expect(request?.config.Image).toBe("nginx");
  expect(request?.hostConfig.PortBindings).toMatchObject({ "80/tcp": [{ HostPort: "8080" }] });
});

test("asks about the user that an administrator names, and about oneself", async () => {
  const [{ calls: named }, { calls: own }] = [
    await asked("GET", "/berth/explain?image=nginx&user=bob"),
    await asked("GET", "/berth/explain?image=nginx", { as: ANN }),
  ];
  expect([named[0]?.[0].login, own[0]?.[0].login]).toEqual(["bob", "user-1"]);
  const other = await asked("GET", "/berth/explain?image=nginx&user=bob", { as: ANN });
  expect([other.status, other.json.message]).toEqual([403, expect.stringContaining("about other users")]);
});

test.each([
  ["/berth/explain?image=nginx&user=bob&place=ci", undefined, "bob"],
  ["/berth/explain?image=nginx&place=ci", ANN, "user-1"],
  ["/places/ci/berth/explain?image=nginx", ANN, "user-1"],
])("asks about the user's place for %s", async (target, as, login) => {
  const { json, calls } = await asked("GET", target, as === undefined ? {} : { as });
  expect(calls[0]?.[0]).toMatchObject({ id: "1@ci", login });
  expect(json).toMatchObject({ subject: { id: "1", login }, place: "ci" });
});

test("refuses a place that the user has not", async () => {
  const { status, json } = await asked("GET", "/berth/explain?image=nginx&place=web", { as: ANN });
  expect([status, json.message]).toEqual([404, "user user-1 has no place web on this host"]);
});

test("answers as the directory does, with ports and what is in the way", async () => {
  const decision = decide(
    { ports: [{ hostIp: "", hostPort: { start: 80, end: 80 }, protocol: "tcp" }] },
    ANN.effective,
  );
  const refused = await asked("POST", "/berth/explain", { body: BODY, as: ANN, found: { ...NOTHING, decision } });
  expect(refused.json).toMatchObject({
    decision: "refuse",
    message: expect.stringContaining("denied by policy: host-ports 80/tcp"),
    subject: { id: "1", login: "user-1" },
    bypass: null,
    checks: expect.arrayContaining([
      expect.objectContaining({ kind: "host-ports", outcome: "refuse", passing: ["1024-65535/tcp"] }),
      expect.objectContaining({ kind: "subject", outcome: "allow" }),
    ]),
  });
  const ports = [{ hostIp: "0.0.0.0", hostPort: 8080, containerPort: 80, protocol: "tcp" }] as const;
  const conflict = "Bind for 0.0.0.0:8080 failed";
  const allowed = await asked("POST", "/berth/explain", { body: BODY, found: { ...NOTHING, ports, conflict } });
  expect(allowed.json).toEqual({
    decision: "allow",
    message: "",
    subject: { id: null, login: "root" },
    place: null,
    bypass: "administrator",
    checks: [],
    ports: ["0.0.0.0:8080:80/tcp"],
    conflict,
    warnings: [],
  });
  const never = await asked("POST", "/berth/explain", { body: BODY, as: ANN, found: { ...NOTHING, refusal: "no" } });
  expect(never.json).toMatchObject({ decision: "refuse", message: "no" });
});

test.each([
  ["nothing", "", "create"],
  ["two wishes", "?create=%7B%7D&image=nginx", "create"],
  ["a port that is none", "?image=nginx&publish=x", "publish: x"],
  ["a body that is no JSON", "?create=%7B", "JSON"],
  ["a body of wrong types", "?create=%7B%22Image%22%3A1%7D", "Image"],
])("refuses %s", async (_, query, named) => {
  const { status, json } = await asked("GET", `/berth/explain${query}`);
  expect([status, json.message]).toEqual([400, expect.stringContaining(named)]);
});
