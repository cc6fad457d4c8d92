import type { Constraint } from "@berth/directory-domain";
import { afterEach, beforeEach, expect, it } from "vitest";
import { EngineError } from "../../engine/errors.ts";
import { user } from "../../engine/user.testing.ts";
import { ADMINISTRATOR, someService } from "../containers-service.testing.ts";

const PORTS: Constraint = { kind: "host-ports", effect: "limit", ports: [{ start: 8000, end: 8099 }] };
const TWO: Constraint = { kind: "quota", effect: "limit", resource: "containers", max: 1 };

let service: Awaited<ReturnType<typeof someService>>;
beforeEach(async () => {
  service = await someService();
});
afterEach(() => service.end());

function publishing(name: string, port: string) {
  const base = service.request(name, ["sleep", "9999"], {
    PortBindings: { "80/tcp": [{ HostIp: "", HostPort: port }] },
  });
  return { ...base, config: { ...base.config, ExposedPorts: { "80/tcp": {} } } };
}

it("tells which constraints refuse and what would pass, and changes nothing", async () => {
  const { containers, registry } = service;
  const found = await containers.explain(user(1, PORTS), publishing("web", "9000"));
  expect(found).toMatchObject({ refusal: undefined, ports: [], conflict: undefined });
  const refused = found.decision?.checks.filter(({ refusals }) => refusals.length > 0);
  expect(refused).toMatchObject([
    { kind: "host-ports", item: "9000/tcp", refusals: [{ reason: "outside-limit" }], passing: ["8000-8099/tcp"] },
  ]);
  expect(registry.all()).toEqual([]);
});

it("counts what the user has", async () => {
  const ann = user(1, TWO);
  expect((await service.containers.explain(ann, publishing("web", "8080"))).decision?.allowed).toBe(true);
  await service.containers.create(ann, service.request("one", ["true"]));
  const { decision } = await service.containers.explain(ann, publishing("web", "8080"));
  expect(decision?.checks.filter(({ refusals }) => refusals.length > 0)).toMatchObject([
    { kind: "quota", refusals: [{ reason: "over-quota" }] },
  ]);
});

it("tells which ports a start would get, and that somebody has one", async () => {
  const { containers } = service;
  const first = await containers.explain(user(1), publishing("web", "8080"));
  expect(first.ports).toContainEqual({ hostIp: "0.0.0.0", hostPort: 8080, containerPort: 80, protocol: "tcp" });
  const { id } = await containers.create(user(2), publishing("other", "8080"));
  await containers.start(user(2), id);
  const second = await containers.explain(user(1), publishing("web", "8080"));
  expect(second.decision?.allowed).toBe(true);
  expect(second.conflict).toContain("port is already allocated");
  expect((await containers.explain(ADMINISTRATOR, publishing("web", "8080"))).conflict).toContain("already allocated");
});

it("decides by the name of an image that is not here", async () => {
  const own: Constraint = { kind: "images", effect: "limit", patterns: ["docker.io/acme/*"] };
  const missing = await someService();
  try {
    const { containers, context } = missing;
    Object.assign(context.images, {
      get: async () => Promise.reject(new EngineError("not-found", "No such image")),
      origin: () => {
        throw new EngineError("not-found", "No such image");
      },
    });
    const request = missing.request("web", []);
    const named = (Image: string) => ({ ...request, config: { ...request.config, Image } });
    const [other, acme] = [
      await containers.explain(user(1, own), named("nginx")),
      await containers.explain(user(1, own), named("acme/app")),
    ];
    expect([other.decision?.allowed, acme.decision?.allowed]).toEqual([false, true]);
    expect(acme.warnings).toEqual([
      "acme/app is not on this host: the ports and volumes that it declares are not counted",
    ]);
  } finally {
    await missing.end();
  }
});

it("tells what no constraint could permit, and throws for what is invalid", async () => {
  const { containers } = service;
  const dns = await containers.explain(user(1), service.request("web", ["true"], { Dns: ["127.0.0.1"] }));
  expect([dns.decision, dns.refusal]).toEqual([undefined, expect.stringContaining("denied by policy")]);
  await expect(containers.explain(user(1), service.request("web", ["true"], { Memory: 1 }))).rejects.toThrow("Minimum");
  expect((await containers.explain(ADMINISTRATOR, service.request("web", ["true"]))).decision).toBeUndefined();
});
