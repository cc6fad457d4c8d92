import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { dockerConfigPath, readDockerToken, writeDockerToken } from "./config.ts";

const folder = mkdtempSync(join(tmpdir(), "berth-docker-config-"));
afterAll(() => rmSync(folder, { recursive: true }));

function holding(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

test("finds Docker's settings as the docker command does", () => {
  expect(dockerConfigPath({ HOME: "/home/ann" })).toBe("/home/ann/.docker/config.json");
  expect(dockerConfigPath({ HOME: "/home/ann", DOCKER_CONFIG: "/etc/docker-ann" })).toBe("/etc/docker-ann/config.json");
});

test("adds the token beside what there is, and takes it away again", async () => {
  const auths = { "registry.example": { auth: "x" } };
  const path = holding(
    "a.json",
    JSON.stringify({ auths, HttpHeaders: { authorization: "Bearer old", "X-Team": "web" } }),
  );
  await writeDockerToken(path, "bth_new");
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
    auths,
    HttpHeaders: { "X-Team": "web", Authorization: "Bearer bth_new" },
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await readDockerToken(path)).toBe("bth_new");
  await writeDockerToken(path, undefined);
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ auths, HttpHeaders: { "X-Team": "web" } });
  expect(await readDockerToken(path)).toBeUndefined();
});

test("makes the file and its folder", async () => {
  const path = join(folder, "new/config.json");
  await writeDockerToken(path, "bth_x");
  expect(await readDockerToken(path)).toBe("bth_x");
  await writeDockerToken(path, undefined);
  expect(readFileSync(path, "utf8")).toBe("{}\n");
});

test.each(["{", "[]", "null", '"x"'])("leaves a file that holds %s as it is", async (content) => {
  const path = holding("broken.json", content);
  await expect(writeDockerToken(path, "bth_x")).rejects.toThrow("is not JSON as Docker writes it");
  expect(readFileSync(path, "utf8")).toBe(content);
  expect(await readDockerToken(path)).toBeUndefined();
});
