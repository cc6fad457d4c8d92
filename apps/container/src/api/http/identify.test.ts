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

const LISTENERS = {
  unix: { kind: "unix", path: "", actor: named("root") },
  user: { kind: "user", path: "", login: "ann" },
  tcp: { kind: "tcp", host: "", port: 0, allowedHosts: [] },
  tls: { kind: "tls", host: "", port: 0 },
} as const satisfies Record<string, Listener>;

function ask(kind: keyof typeof LISTENERS, more: Partial<Credentials> = {}) {
  return identify({ listener: LISTENERS[kind], authorization: undefined, certificate: undefined, ...more });
}

const GOOD = { authorization: "Bearer good" };
const BAD = { authorization: "Bearer bad" };
const BOB = { certificate: { name: "bob" } };
const EXPIRED = { certificate: { fault: "CERT_HAS_EXPIRED" } };

describe("the sender of a request", () => {
  it.each([
    ["unix", {}, "root"],
    ["unix", BAD, "root"],
    ["user", {}, "ann"],
    ["user", GOOD, "ann"],
    ["tcp", GOOD, "holder"],
    ["tcp", { authorization: `Basic ${Buffer.from("x:good").toString("base64")}` }, "holder"],
    ["tcp", {}, undefined],
    ["tcp", BAD, undefined],
    ["tls", BOB, "bob"],
    ["tls", GOOD, "holder"],
    ["tls", { ...BOB, ...GOOD }, "holder"],
    ["tls", { ...EXPIRED, ...GOOD }, "holder"],
    ["tls", { ...BOB, ...BAD }, undefined],
    ["tls", { ...BOB, authorization: "Negotiate x" }, undefined],
    ["tls", {}, undefined],
  ] as const)("on %s with %j is %s", async (kind, credentials, login) => {
    expect((await ask(kind, credentials))?.login).toBe(login);
  });

  it("is nobody with an invalid certificate, and gets the reason", async () => {
    await expect(ask("tls", EXPIRED)).rejects.toMatchObject({
      kind: "unauthorized",
      message: expect.stringContaining("CERT_HAS_EXPIRED"),
    });
  });

  it("is nobody if the directory says so", async () => {
    await expect(ask("tls", { certificate: { name: "gone" } })).rejects.toMatchObject({ kind: "forbidden" });
  });
});
