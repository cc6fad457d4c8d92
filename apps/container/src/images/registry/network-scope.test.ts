import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { isHostOnly } from "../../engine/host-addresses.ts";
import { gather, OF_ADMINISTRATOR, startTestImages, type TestImages, tarOf, wordsOf } from "../images.testing.ts";
import { contentOf, startFaultyRegistry } from "./faulty-registry.testing.ts";
import { openHttp } from "./http.ts";
import type { NetworkScope } from "./network-scope.ts";
import { openSession } from "./session.ts";

test.each([
  ["127.0.0.1", true],
  ["127.255.0.1", true],
  ["0.0.0.0", true],
  ["169.254.169.254", true],
  ["224.0.0.1", true],
  ["255.255.255.255", true],
  ["[::1]", true],
  ["[::]", true],
  ["[fe80::1]", true],
  ["[ff02::1]", true],
  ["100.100.100.200", true],
  ["168.63.129.16", true],
  ["192.0.0.192", true],
  ["[fd00:ec2::254]", true],
  ["[fd20:ce::254]", true],
  ["[fd00:42::42]", true],
  ["[fd00:a9fe:a9fe::1]", true],
  ["[::ffff:127.0.0.1]", true],
  ["[::ffff:a9fe:a9fe]", true],
  ["192.0.2.1", false],
  ["10.0.0.1", false],
  ["223.255.255.255", false],
  ["[2001:db8::1]", false],
  ["[fd00::1]", false],
  ["localhost", false],
  ["registry.example.com", false],
])("%s belongs to this host only: %s", (host, hostOnly) => expect(isHostOnly(host)).toBe(hostOnly));

test.each(["0x7f.1", "2130706433", "0177.0.0.1"])("a URL has %s in its plain form", (host) =>
  expect(isHostOnly(new URL(`http://${host}/`).hostname)).toBe(true),
);

// An address that is not the host's alone, as far as anyone can tell: documentation's, by process.
const OUTSIDE = `198.51.100.${1 + (process.pid % 250)}`;
const MESSAGE = /denied by policy: .* is an address of this host alone/;
const AUTH = { username: "ann", password: "p" };

const STOPS: (() => Promise<void>)[] = [];
beforeAll(() => void execFileSync("ip", ["address", "replace", `${OUTSIDE}/32`, "dev", "lo"]));
afterEach(async () => {
  for (const stop of STOPS.splice(0)) await stop();
});
afterAll(() => void execFileSync("ip", ["address", "del", `${OUTSIDE}/32`, "dev", "lo"]));

/** A server, and what it was asked for. */
async function listen(address: string, answer: RequestListener) {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(request.url ?? "");
    answer(request, response);
  });
  server.listen(0, address);
  await once(server, "listening");
  STOPS.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { host: `${address}:${(server.address() as AddressInfo).port}`, heard };
}

describe("the target of a registry's redirect or token server", () => {
  const session = (
    host: string,
    {
      listed = false,
      networkScope = "beyond-host",
      isListed = () => false,
    }: { listed?: boolean; networkScope?: NetworkScope; isListed?: (host: string) => boolean } = {},
  ) => {
    const http = openHttp({});
    STOPS.push(() => http.close());
    return openSession(
      http,
      { url: `http://${host}`, mirror: false, insecure: false, listed },
      { auth: AUTH, networkScope, isListed },
    );
  };
  const ask = async (...args: Parameters<typeof session>) => {
    const response = await session(...args).send("/v2/", { method: "GET" });
    await response.body.dump();
    return response.statusCode;
  };

  /** A registry outside that leads to `to` by a redirect, or by the token server that it names. */
  const leading = (by: "redirect" | "token server", to: string) =>
    listen(OUTSIDE, ({ headers }, response) => {
      if (by === "redirect") return void response.writeHead(307, { location: `http://${to}/` }).end();
      if (headers.authorization !== undefined) return void response.writeHead(200).end();
      response.writeHead(401, { "www-authenticate": `Bearer realm="http://${to}/token"` }).end();
    });
  const inside = () => listen("127.0.0.1", (_, response) => void response.end('{"token":"t"}'));

  test.each(["redirect", "token server"] as const)("does not follow a %s to this host for a user", async (by) => {
    const { host: to, heard } = await inside();
    for (const name of [to, to.replace("127.0.0.1", "localhost"), to.replace("127.0.0.1", "[::ffff:127.0.0.1]")]) {
      const { host } = await leading(by, name);
      await expect(ask(host)).rejects.toMatchObject({ status: 403, message: expect.stringMatching(MESSAGE) });
    }
    expect(heard).toEqual([]);
  });

  test.each(["redirect", "token server"] as const)("does not follow a listed registry's %s for a user", async (by) => {
    const { host: to, heard } = await inside();
    const { host } = await leading(by, to);
    await expect(ask(host, { listed: true })).rejects.toMatchObject({ status: 403 });
    expect(heard).toEqual([]);
  });

  test.each(["redirect", "token server"] as const)("follows a %s to this host when permitted", async (by) => {
    const { host: to } = await inside();
    const { host } = await leading(by, to);
    expect(await ask(host, { networkScope: "everywhere" })).toBe(200);
    expect(await ask(host, { listed: true, isListed: (name) => name === to })).toBe(200);
  });

  test.each(["redirect", "token server"] as const)("follows a %s to another host for a user", async (by) => {
    const { host: to } = await listen(OUTSIDE, (_, response) => void response.end('{"token":"t"}'));
    expect(await ask((await leading(by, to)).host)).toBe(200);
  });
});

describe("a registry on this host", () => {
  let at: TestImages;
  let listing: TestImages;
  beforeAll(async () => {
    [at, listing] = await Promise.all([startTestImages(), startTestImages({ insecure: ["127.0.0.0/8"] })]);
  });
  afterAll(async () => {
    await Promise.all([at?.dispose(), listing?.dispose()]);
  });

  const start = async () => {
    const tar = await tarOf({ file: "content" });
    const registry = await startFaultyRegistry(contentOf([{ tar, blob: tar, suffix: "" }]), {});
    STOPS.push(registry.stop);
    return registry;
  };
  const ofUser = { ...OF_ADMINISTRATOR, networkScope: "beyond-host" } as const;

  test("is out of reach for a user", async () => {
    const { host, requests } = await start();
    const image = `${host}/some/app`;
    for (const asked of [
      () => at.images.pull({ image, tag: "v1" }, ofUser),
      () => at.images.pull({ image: image.replace("127.0.0.1", "localhost"), tag: "v1" }, ofUser),
      () => at.images.pull({ image, tag: undefined }, ofUser),
      () => at.images.distribution(`${image}:v1`, ofUser),
      () => at.images.checkAuth({ ...AUTH, serveraddress: host }, ofUser),
    ])
      await expect(asked()).rejects.toMatchObject({ kind: "forbidden", message: expect.stringMatching(MESSAGE) });
    expect(requests).toEqual([]);
  });

  test("is within reach for a user if it is listed", async () => {
    const { host } = await start();
    const lines = await listing.images.pull({ image: `${host}/some/app`, tag: "v1" }, ofUser);
    expect(wordsOf(await gather(lines)).at(-1)).toMatch(/^Status: Downloaded newer/);
  });
});

test("sends no request to a registry for a name that is not permitted", async () => {
  const at = await startTestImages();
  STOPS.push(at.dispose);
  const tags = await listen("127.0.0.1", (request, response) => {
    response.end(request.url?.endsWith("/tags/list") ? '{"tags":["good","bad"]}' : "{}");
  });
  const permitted: (string | undefined)[] = [];
  const only =
    (...good: readonly string[]) =>
    ({ tag = "" }: { readonly tag?: string | undefined }) => {
      permitted.push(tag);
      if (!good.includes(tag)) throw new Error(`not ${tag}`);
    };
  const repository = { image: `${tags.host}/some/app`, tag: undefined };
  await expect(at.images.pull(repository, { ...OF_ADMINISTRATOR, permit: only("good") })).rejects.toThrow("not latest");
  expect(tags.heard).toEqual([]);
  const lines = await at.images.pull(repository, { ...OF_ADMINISTRATOR, permit: only("latest") });
  await gather(lines);
  expect(permitted).toEqual(["latest", "latest", "good"]);
  expect(tags.heard.filter((path) => path.includes("/manifests/"))).toEqual([]);
});
