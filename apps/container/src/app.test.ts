import { describe, expect, it } from "vitest";
import type { Listener } from "./api/http/edge.ts";
import { appWith, RUNNING } from "./api/routes/app.testing.ts";
import { EngineError, type EngineErrorKind, STATUS_OF } from "./engine/errors.ts";

describe("versions and paths", () => {
  const { request } = appWith({ networks: { list: () => [] } });
  it.each([
    ["/_ping", 200, "OK"],
    ["/v1.24/_ping", 200, "OK"],
    ["/v1.51/_ping", 200, "OK"],
    ["/v1.52/_ping", 400, "client version 1.52 is too new. Maximum supported API version is 1.51"],
    ["/v1.23/_ping", 400, "client version 1.23 is too old"],
    ["/vX/_ping", 404, "page not found"],
    ["/nope", 404, "page not found"],
    ["/", 404, "page not found"],
    ["/containers/nope/nope", 404, "page not found"],
    ["/containers//json", 404, "page not found"],
    ["/containers/json/", 404, "page not found"],
    ["/networks/", 200, "["],
    ["/v1.51/networks/", 200, "["],
    ["/networks//", 404, "page not found"],
  ])("GET %s", async (target, status, message) => {
    const response = await request("GET", target);
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(message);
    const headers = {
      "api-version": "1.51",
      // As at dockerd, where what adds it comes after the version.
      ...(status === 200 && { "docker-experimental": "false" }),
      ostype: "linux",
      server: "Docker/28.5.2+berth.0.1.0 (linux)",
    };
    const shown = Object.fromEntries(response.headers);
    // As at dockerd, a path that is no route has none of them.
    if (status === 404) expect(Object.keys(shown).filter((name) => name in headers)).toEqual([]);
    else expect(shown).toMatchObject(headers);
  });

  it.each(["POST", "PUT", "PATCH", "HEAD"])("answers 404 to %s of a route it has for GET", async (method) => {
    expect((await request(method, "/info")).status).toBe(404);
  });

  it("answers OPTIONS of every path without a header of CORS", async () => {
    const response = await request("OPTIONS", "/info");
    expect(response.status).toBe(200);
    expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it("answers HEAD of _ping with headers alone", async () => {
    const response = await request("HEAD", "/_ping");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-length")).toBe("0");
    expect(response.headers.get("cache-control")).toBe("no-cache, no-store, must-revalidate");
    expect(await response.text()).toBe("");
  });
});

describe("errors", () => {
  it.each(Object.entries(STATUS_OF) as [EngineErrorKind, number][])("maps %s to %i", async (kind, status) => {
    const fails = async () => {
      throw new EngineError(kind, "why");
    };
    const { request } = appWith({ containers: { get: fails } });
    const response = await request("GET", "/containers/a/json");
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.text()).toBe('{"message":"why"}\n');
  });

  it("is plain text below API 1.24", async () => {
    const fails = async () => {
      throw new EngineError("not-found", "No such container: a");
    };
    const { request } = appWith({ containers: { get: fails } });
    const response = await request("GET", "/v1.23/containers/a/json");
    expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
    expect(await response.text()).toBe("No such container: a\n");
  });

  it("hides an internal error and logs it", async () => {
    const fails = async () => {
      throw new Error("secret detail");
    };
    const { request, faults } = appWith({ containers: { get: fails } });
    const response = await request("GET", "/containers/a/json");
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("secret");
    expect(faults).toHaveLength(1);
  });
});

describe("who asks", () => {
  const tcp: Listener = {
    kind: "tcp",
    host: "127.0.0.1",
    port: 2375,
    allowedHosts: ["localhost", "127.0.0.1", "[::1]"],
  };
  const ann = { kind: "administrator", id: "u1", login: "ann" } as const;
  const identify = async ({ authorization }: { authorization: string | undefined }) =>
    authorization === "Bearer good" ? ann : undefined;
  const ask = (headers: Record<string, string>) => {
    const { app } = appWith({ identify });
    return app.request("/_ping", { headers }, { listener: tcp });
  };
  it.each([
    [{ host: "localhost:2375", authorization: "Bearer good" }, 200],
    [{ host: "[::1]:2375", authorization: "Bearer good" }, 200],
    [{ host: "LOCALHOST", authorization: "Bearer good" }, 200],
    [{ host: "localhost" }, 401],
    [{ host: "localhost", authorization: "Bearer bad" }, 401],
    [{ host: "evil.example", authorization: "Bearer good" }, 403],
    [{ host: "localhost", authorization: "Bearer good", origin: "http://localhost" }, 403],
  ])("%j → %i", async (headers, status) => {
    const response = await ask(headers);
    expect(response.status).toBe(status);
    if (status !== 401) return;
    expect(response.headers.get("www-authenticate")).toContain("Bearer");
    expect(await response.json()).toMatchObject({
      message: expect.stringContaining("authorization" in headers ? "no valid token" : "send an Authorization header"),
    });
  });

  it("passes the actor on", async () => {
    const seen: unknown[] = [];
    const { app } = appWith({
      identify,
      containers: {
        get: async (actor) => {
          seen.push(actor);
          return RUNNING;
        },
      },
    });
    await app.request(
      "/containers/a/json",
      { headers: { host: "localhost", authorization: "Bearer good" } },
      { listener: tcp },
    );
    expect(seen).toEqual([ann]);
  });
});

describe("what is not supported", () => {
  const { request } = appWith();
  it.each([
    ["POST", "/session", 400, "no upgrade proto in request"],
    ["GET", "/swarm", 503, "This node is not a swarm manager"],
    ["POST", "/swarm/init", 503, "Berth has no swarm: it runs the containers of one machine"],
    ["GET", "/services", 503, "This node is not a swarm manager"],
    ["GET", "/secrets", 503, "This node is not a swarm manager"],
    ["GET", "/images/search", 501, "searching a registry is not supported"],
    ["GET", "/containers/a/attach/ws", 400, "a WebSocket needs a connection"],
    ["POST", "/plugins/pull", 501, "plugins are not supported"],
    ["POST", "/images/create?fromSrc=http://x", 501, "fromSrc"],
  ])("%s %s", async (method, target, status, message) => {
    const response = await request(method, target);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ message: expect.stringContaining(message) });
  });

  it("has no plugins", async () => expect(await (await request("GET", "/plugins")).json()).toEqual([]));
});
