import { describe, expect, it } from "vitest";
import type { Actor } from "../../engine/actor.ts";
import { EngineError } from "../../engine/errors.ts";
import type { Credentials, Listener } from "./edge.ts";
import { createIdentify } from "./identify.ts";

function named(login: string): Actor {
  return { kind: "administrator", id: undefined, login };
}
const identify = createIdentify({
  whoseToken: async (token) => (token === "good" ? named("holder") : undefined),
  whoseLogin: async (login) => {
    if (login === "gone") throw new EngineError("forbidden", "no such user");
    return named(login);
  },
});

const listeners = {
  unix: { kind: "unix", path: "", actor: named("root") },
  user: { kind: "user", path: "", login: "ann" },
  tcp: { kind: "tcp", host: "", port: 0, allowedHosts: [] },
  tls: { kind: "tls", host: "", port: 0 },
} as const satisfies Record<string, Listener>;

function ask(kind: keyof typeof listeners, more: Partial<Credentials> = {}) {
  return identify({ listener: listeners[kind], authorization: undefined, certificate: undefined, ...more });
}

const good = { authorization: "Bearer good" };
const bad = { authorization: "Bearer bad" };
const bob = { certificate: { name: "bob" } };
const expired = { certificate: { fault: "CERT_HAS_EXPIRED" } };

describe("who asks", () => {
  it.each([
    ["unix", {}, "root"],
    ["unix", bad, "root"],
    ["user", {}, "ann"],
    ["user", good, "ann"],
    ["tcp", good, "holder"],
    ["tcp", { authorization: `Basic ${Buffer.from("x:good").toString("base64")}` }, "holder"],
    ["tcp", {}, undefined],
    ["tcp", bad, undefined],
    ["tls", bob, "bob"],
    ["tls", good, "holder"],
    ["tls", { ...bob, ...good }, "holder"],
    ["tls", { ...expired, ...good }, "holder"],
    ["tls", { ...bob, ...bad }, undefined],
    ["tls", { ...bob, authorization: "Negotiate x" }, undefined],
    ["tls", {}, undefined],
  ] as const)("on %s with %j is %s", async (kind, credentials, login) => {
    expect((await ask(kind, credentials))?.login).toBe(login);
  });

  it("is nobody where the certificate does not hold, and is told why", async () => {
    await expect(ask("tls", expired)).rejects.toMatchObject({
      kind: "unauthorized",
      message: expect.stringContaining("CERT_HAS_EXPIRED"),
    });
  });

  it("is nobody where the directory says so", async () => {
    await expect(ask("tls", { certificate: { name: "gone" } })).rejects.toMatchObject({ kind: "forbidden" });
  });
});
