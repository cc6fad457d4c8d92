import { afterAll, beforeAll, expect, test } from "vitest";
import {
  CREDENTIALS,
  startTestRegistry,
  type TestRegistry,
} from "../apps/container/src/images/registry/registry.testing.ts";
import { removeContainers } from "./berth.testing.ts";
import { dockerOf } from "./docker.testing.ts";
import { sharedBerth } from "./shared-berth.testing.ts";

// `docker login` and what it opens: the real registry, locked by htpasswd.

const berth = sharedBerth();
const docker = dockerOf(berth);
const { username, password } = CREDENTIALS;
let registry: TestRegistry;
let image = "";
const NO_CREDENTIALS = "no basic auth credentials";

beforeAll(async () => {
  registry = await startTestRegistry("htpasswd");
  image = `${registry.host}/private:1`;
  await docker.run("tag", "busybox", image);
});
afterAll(async () => {
  await docker.try("logout", registry.host);
  await removeContainers(berth);
  await docker.try("rmi", "-f", image);
  await registry.stop();
});

function logIn(secret: string, host = registry.host) {
  return docker.try("login", "-u", username, "-p", secret, host);
}

test("nothing is pushed or pulled without credentials", async () => {
  expect(await docker.try("push", image)).toMatchObject({ code: 1, stderr: expect.stringContaining(NO_CREDENTIALS) });
  expect(await docker.try("pull", image)).toMatchObject({ code: 1, stderr: expect.stringContaining(NO_CREDENTIALS) });
});

test("a wrong password is refused, and nothing is kept", async () => {
  const { code, stderr } = await logIn("wrong");
  expect({ code, last: stderr.trim().split("\n").at(-1) }).toEqual({
    code: 1,
    last: `Error response from daemon: login attempt to http://${registry.host}/v2/ failed with status: 401 Unauthorized`,
  });
  expect((await docker.try("pull", image)).stderr).toContain(NO_CREDENTIALS);
});

test("a registry that does not answer is told as such", async () => {
  const { code, stderr } = await logIn(password, "127.0.0.1:1");
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /Error response from daemon: Get "http:\/\/127\.0\.0\.1:1\/v2\/": .*connect: connection refused/,
  );
});

test("the right one opens push, pull and run, until the log-out", async () => {
  expect(await logIn(password)).toMatchObject({ code: 0, stdout: "Login Succeeded\n" });
  // It answers by what it kept.
  expect(await docker.try("login", registry.host)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Login Succeeded"),
  });
  expect(await docker.run("push", image)).toMatch(/1: digest: sha256:[0-9a-f]{64} size: \d+$/);
  await docker.run("rmi", image);
  expect(await docker.run("pull", image)).toContain(`Downloaded newer image for ${image}`);
  await docker.run("rmi", image);
  expect(await docker.run("run", "--rm", image, "echo", "private")).toBe("private");
  expect(await docker.try("pull", `${registry.host}/missing:1`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`manifest for ${registry.host}/missing:1 not found: manifest unknown`),
  });

  await docker.run("rmi", image);
  expect(await docker.run("logout", registry.host)).toBe(`Removing login credentials for ${registry.host}`);
  expect((await docker.try("pull", image)).stderr).toContain(NO_CREDENTIALS);
  expect(await docker.try("run", "--rm", image, "true")).toMatchObject({
    code: 125,
    stderr: expect.stringContaining(NO_CREDENTIALS),
  });
});
