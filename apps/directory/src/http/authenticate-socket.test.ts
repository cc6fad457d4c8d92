import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { serve } from "@hono/node-server";
import { expect, test } from "vitest";
import { describeDirectory } from "../directory.testing.ts";

/** What no client library lets through, sent as it is. */
describeDirectory("raw requests", (directory) => {
  /** The status line of the answer to these bytes. */
  async function answerTo(head: readonly string[]): Promise<string> {
    const server = serve({ fetch: directory.app.fetch, port: 0, hostname: "127.0.0.1" });
    await once(server, "listening");
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    // A server that has read enough closes while the rest is on its way.
    socket.on("error", () => {});
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    const [answer] = await once(socket, "data");
    socket.destroy();
    server.close();
    return String(answer).split("\r\n", 1)[0] ?? "";
  }

  const bearer = () => `authorization: Bearer ${directory.admin}`;

  test.each<[string, number, () => readonly string[]]>([
    ["a right token", 200, () => ["GET /api/me HTTP/1.1", "host: localhost", bearer()]],
    ["two right tokens", 401, () => ["GET /api/me HTTP/1.1", "host: localhost", bearer(), bearer()]],
    [
      "a valid token and an invalid one",
      401,
      () => ["GET /api/me HTTP/1.1", "host: localhost", bearer(), "authorization: Bearer x"],
    ],
    ["a token with a line's end in it", 400, () => ["GET /api/me HTTP/1.1", "host: localhost", `${bearer()}\rx`]],
    [
      "a token on a continuation line",
      400,
      () => ["GET /api/me HTTP/1.1", "host: localhost", `authorization: Bearer\r\n${directory.admin}`],
    ],
    [
      "a token of a mebibyte",
      431,
      () => ["GET /api/me HTTP/1.1", "host: localhost", `authorization: Bearer ${"x".repeat(1_048_576)}`],
    ],
    ["no host", 400, () => ["GET /api/me HTTP/1.1", bearer()]],
    ["a path as a host", 400, () => ["GET /api/me HTTP/1.1", "host: a/../b", bearer()]],
    ["TRACE", 405, () => ["TRACE /api/me HTTP/1.1", "host: localhost", bearer()]],
    ["a method of nobody", 400, () => ["BREW /api/me HTTP/1.1", "host: localhost", bearer()]],
    [
      "two lengths",
      400,
      () => [
        "POST /api/logout HTTP/1.1",
        "host: localhost",
        bearer(),
        "content-length: 0",
        "transfer-encoding: chunked",
      ],
    ],
  ])("with %s is answered with %i", async (_name, status, head) => {
    expect(await answerTo(head())).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(directory.faults).toEqual([]);
  });
});
