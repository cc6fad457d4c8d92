import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSite } from "../console-files.ts";
import { describeDirectory } from "../directory.testing.ts";

const PAGE = "<!doctype html><title>Berth</title>";
const SCRIPT = "console.log(1)";
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "berth-site-"));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), PAGE);
  await writeFile(join(folder, "assets/index-abc.js"), SCRIPT);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describeDirectory("the web console", (directory) => {
  async function get(path: string, headers: Readonly<Record<string, string>> = {}) {
    directory.console = await readSite(folder);
    directory.restart();
    return await directory.app.fetch(new Request(`http://127.0.0.1${path}`, { headers }));
  }

  test.each(["/", "/users", "/users/7", "/groups/2", "/activity?outcome=refused"])("is at %s", async (path) => {
    const answer = await get(path);
    expect([answer.status, await answer.text()]).toEqual([200, PAGE]);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self';/);
  });

  test("answers other paths as before", async () => {
    for (const path of ["/nothing", "/users/7/more", "/assets/other.js", "/index.html"])
      expect((await get(path)).status).toBe(404);
    expect((await get("/api/nothing")).status).toBe(404);
  });

  test("sends assets for good, compressed to those who can read that", async () => {
    const plain = await get("/assets/index-abc.js");
    expect(await plain.text()).toBe(SCRIPT);
    expect(plain.headers.get("cache-control")).toContain("immutable");
    const compressed = await get("/assets/index-abc.js", { "accept-encoding": "br, gzip" });
    expect(compressed.headers.get("content-encoding")).toBe("gzip");
    expect(gunzipSync(Buffer.from(await compressed.arrayBuffer())).toString()).toBe(SCRIPT);
    const etag = plain.headers.get("etag") ?? "";
    expect((await get("/assets/index-abc.js", { "if-none-match": etag })).status).toBe(304);
  });

  test("leads to the reference where it was not built", async () => {
    directory.console = await readSite(join(folder, "nothing"));
    directory.restart();
    const answer = await directory.app.fetch(new Request("http://127.0.0.1/"));
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/api/reference"]);
  });
});
