import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DirectoryUnavailable } from "@berth/directory-client";
import { BASELINES, type EffectiveConstraints, type Subject, type UserId } from "@berth/directory-domain";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWhoseLogin, createWhoseToken } from "./directory.ts";

function subject(fields: Partial<Subject>): Subject {
  return {
    id: 7 as UserId,
    login: "Ann",
    role: "user",
    active: true,
    ...fields,
  };
}
function effectiveOf(one: Subject): EffectiveConstraints {
  return {
    subject: one,
    baseline: BASELINES.safe,
    constraints: [],
    unreadable: [],
    groups: [],
  };
}

/** A directory with one user, found by any login. */
function knowing(one: Subject | undefined) {
  return createWhoseLogin({
    userByLogin: async () => one,
    effective: async () => one && effectiveOf(one),
    sharersOf: async (_, ids) => ids.filter((id) => id < 9),
  });
}

describe("the user with a login", () => {
  it("is the directory's user, with its spelling and constraints", async () => {
    const ann = subject({});
    const actor = await knowing(ann)("ann");
    expect(actor).toMatchObject({ kind: "user", id: "7", login: "Ann", effective: effectiveOf(ann) });
    expect(actor.kind === "user" && (await actor.sharersOf?.(1, ["7", "9"]))).toEqual(new Set(["7"]));
  });
  it("is an administrator if the directory says so", async () => {
    expect(await knowing(subject({ role: "admin" }))("ann")).toEqual({ kind: "administrator", id: "7", login: "Ann" });
  });
  it("is an ordinary user even if it may read the whole directory", async () => {
    expect(await knowing(subject({ role: "operator" }))("ann")).toMatchObject({ kind: "user" });
  });

  it.each([
    ["nobody", undefined, "the directory has no user nobody"],
    ["ann", subject({ active: false }), "the user ann is disabled"],
    [" ann", subject({}), '" ann" is no login'],
    ["ann\0", subject({}), "is no login"],
    ["", subject({}), '"" is no login'],
  ])("rejects %j", async (login, known, message) => {
    const refusal = { kind: "forbidden", message: expect.stringContaining(message) };
    await expect(knowing(known)(login)).rejects.toMatchObject(refusal);
  });

  it("is rejected when the user is deleted between two look-ups", async () => {
    const whoseLogin = createWhoseLogin({
      userByLogin: async () => subject({}),
      effective: async () => undefined,
      sharersOf: async () => [],
    });
    await expect(whoseLogin("ann")).rejects.toMatchObject({ kind: "forbidden" });
  });

  it.each(["userByLogin", "effective"] as const)("is rejected when %s gets no answer", async (silent) => {
    const ann = subject({});
    const directory = {
      userByLogin: async () => ann,
      effective: async () => effectiveOf(ann),
      sharersOf: async () => [],
    };
    const fails = () => Promise.reject(new DirectoryUnavailable("cut"));
    const whoseLogin = createWhoseLogin({ ...directory, [silent]: fails });
    await expect(whoseLogin("ann")).rejects.toMatchObject({ kind: "unavailable" });
  });
});

describe("a token", () => {
  /** A directory over HTTP with one token, which answers about constraints as the token's scopes allow. */
  async function directoryWith(scopes: readonly string[]): Promise<string> {
    const ann = subject({});
    const server = createServer((request, response) => {
      const isMe = request.url === "/api/me";
      const mayRead = scopes.includes("engine") || scopes.includes("read");
      response.writeHead(isMe || mayRead ? 200 : 403, { "content-type": "application/json" });
      response.end(JSON.stringify(isMe ? { ...ann, scopes } : { ...effectiveOf(ann), version: "1:1" }));
    });
    server.listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it("with the scope engine identifies its user", async () => {
    const whoseToken = createWhoseToken(await directoryWith(["engine"]));
    expect(await whoseToken("bth_x")).toMatchObject({ kind: "user", login: "Ann" });
  });

  it.each([[["write"]], [["read"]], [["read", "write"]]])(
    "with the scopes %j is forbidden, with a message that names the missing scope",
    async (scopes) => {
      const refusal = { kind: "forbidden", message: expect.stringContaining("lacks the scope engine") };
      await expect(createWhoseToken(await directoryWith(scopes))("bth_x")).rejects.toMatchObject(refusal);
    },
  );
});
