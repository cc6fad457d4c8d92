import { expect, test } from "vitest";
import { describeDirectory } from "../directory.testing.ts";
import { documentedFetch } from "./openapi-document.testing.ts";

describeDirectory("the host name of a request", (directory) => {
  const status = async (url: string) => (await documentedFetch(directory.app)(new Request(`http://${url}`))).status;

  test.each([
    "127.0.0.1:7780",
    "localhost:7780",
    "LOCALHOST",
    "[::1]:7780",
    "10.1.2.3",
    "directory.test",
    "DIRECTORY.test:1",
  ])("%s is allowed", async (host) => expect(await status(`${host}/healthz`)).toBe(200));

  test.each([
    "evil.example",
    "evil.example:7780",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "directory.test.evil",
  ])("%s is rejected on every path", async (host) => {
    for (const path of ["/healthz", "/api/me", "/api/openapi.json", "/scim/v2/Users", "/nowhere"])
      expect([path, await status(`${host}${path}`)]).toEqual([path, 403]);
  });

  test("any name is allowed over TLS, which proves the name", async () => {
    Object.assign(directory.deps, { hosts: undefined });
    directory.restart();
    expect(await status("evil.example/healthz")).toBe(200);
  });
});
