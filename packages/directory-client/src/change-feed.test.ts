import { afterEach, expect, test } from "vitest";
import { followChanges } from "./change-feed.ts";
import { serveHttp } from "./server.testing.ts";

const CLOSING: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of CLOSING.splice(0)) await close();
});

/** Follows a directory whose every connection sends the given chunks and then ends, or stays open. */
async function follow(chunks: readonly string[], end: "ends" | "stays"): Promise<(number | "any" | "live" | "lost")[]> {
  const server = await serveHttp(async (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const chunk of chunks) {
      response.write(chunk);
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (end === "ends") response.end();
  });
  const seen: (number | "any" | "live" | "lost")[] = [];
  const feed = followChanges({ url: server.url, fetch, timeout: 5_000 }, "bth_x", {
    changed: (userId) => void seen.push(userId ?? "any"),
    connected: ({ isConnected }) => void seen.push(isConnected ? "live" : "lost"),
  });
  CLOSING.push(() => feed.stop(), server.close);
  return seen;
}

test.each([
  ["in one chunk", ["event: all\ndata: true\n\nevent: user\ndata: 7\n\nevent: group\ndata: 3\n\n"]],
  ["in pieces", ["event: all\nda", "ta: true\n\nevent: us", "er\ndata: 7\n", "\nevent: group\ndata: 3\n\n"]],
  ["with CRLF", ["event: all\r\ndata: true\r\n\r\nevent: user\r\ndata: 7\r\n\r\nevent: group\r\ndata: 3\r\n\r\n"]],
  [
    "among signs of life",
    [": alive\n\nevent: all\ndata: true\n\n: alive\n\n", "event: user\ndata: 7\n\nevent: group\ndata: 3\n\n"],
  ],
])("reads events %s", async (_name, chunks) => {
  const seen = await follow(chunks, "stays");
  await expect.poll(() => seen).toEqual(["live", "any", 7, "any"]);
});

test("reports a lost connection, and connects again", async () => {
  const seen = await follow(["event: all\ndata: true\n\n"], "ends");
  await expect.poll(() => seen.length).toBeGreaterThanOrEqual(6);
  expect(seen.slice(0, 6)).toEqual(["live", "any", "lost", "live", "any", "lost"]);
});

test("is not live before the first event", async () => {
  const seen = await follow([": alive\n\n"], "ends");
  await expect.poll(() => seen).toContain("lost");
  expect(seen).not.toContain("live");
});
