import { request } from "node:http";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ask } from "../scripts/ask.mjs";
import { type BerthWithDirectory, startBerthWithDirectory } from "./berth.testing.ts";
import { sleeping } from "./buildkit.testing.ts";
import { build, contextOf, leftOfBuilds } from "./builds.testing.ts";
import { addTenant, askDirectory, type Tenant } from "./tenants/tenant.testing.ts";

// A build ends with the rights that it rests on, as other streams do.

const PATIENCE = { timeout: 30_000, interval: 50 };
const SECONDS = 200_000 + process.pid;

let berth: BerthWithDirectory;
beforeAll(async () => {
  berth = await startBerthWithDirectory();
});
afterAll(() => berth?.close());

/** The engine as the user sees it. */
function as({ token }: Tenant): Pick<BerthWithDirectory, "ask"> {
  return {
    ask: (method, path, options = {}) =>
      ask(`${berth.tcp.replace("tcp:", "http:")}${path}`, {
        method,
        ...options,
        headers: { ...options.headers, authorization: `Bearer ${token}` },
      }),
  };
}

function constrain({ id }: Tenant, constraint: object) {
  return askDirectory(berth, "POST", `/users/${id}/constraints`, constraint);
}

const ENDINGS: readonly (readonly [why: string, told: RegExp, end: (user: Tenant) => Promise<unknown>])[] = [
  [
    "is disabled",
    /socket hang up|ECONNRESET|aborted/,
    ({ id }) => askDirectory(berth, "PATCH", `/users/${id}`, { active: false }),
  ],
  [
    "loses its token",
    /socket hang up|ECONNRESET|aborted/,
    async ({ token }) => {
      const headers = { authorization: `Bearer ${token}` };
      const { json } = await ask(`${berth.directoryUrl}/api/me`, { headers });
      await askDirectory(berth, "DELETE", `/tokens/${json.tokenId}`);
    },
  ],
  [
    "may no longer use the base image",
    /denied by policy: image/,
    (user) => constrain(user, { kind: "images", effect: "limit", patterns: ["docker.io/library/alpine:*"] }),
  ],
  [
    "has less memory than the build",
    /denied by policy: .*memory/,
    (user) => constrain(user, { kind: "quota", effect: "limit", resource: "memory", max: 64 << 20 }),
  ],
];

test.each(ENDINGS)("nothing of a build goes on once its user %s", async (why, told, end) => {
  const user = await addTenant(berth, `user${why.length}`);
  const context = contextOf(`FROM busybox\nRUN (sleep ${SECONDS} &); sleep ${SECONDS}`);
  const building = build(as(user), context, "memory=134217728").then(
    ({ error = "" }) => error,
    (thrown: Error) => thrown.message,
  );
  await vi.waitFor(() => expect(sleeping(SECONDS)).toBe(2), PATIENCE);
  await end(user);
  await vi.waitFor(() => expect([sleeping(SECONDS), leftOfBuilds(berth)]).toEqual([0, []]), PATIENCE);
  expect(await building).toMatch(told);
});

test("a context that is still being sent ends with its user's rights", async () => {
  const user = await addTenant(berth, "sender");
  const headers = { authorization: `Bearer ${user.token}`, "content-type": "application/x-tar" };
  const sending = request(`${user.url}/v1.41/build`, { method: "POST", headers });
  const ended = new Promise<void>((resolve) => sending.once("close", () => resolve()));
  sending.on("error", () => undefined);
  sending.write(contextOf("FROM busybox").subarray(0, 1024));
  await vi.waitFor(() => expect(leftOfBuilds(berth)).not.toEqual([]), PATIENCE);
  await askDirectory(berth, "PATCH", `/users/${user.id}`, { active: false });
  await ended;
  await vi.waitFor(() => expect(leftOfBuilds(berth)).toEqual([]), PATIENCE);
});
