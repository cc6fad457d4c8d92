import type { RequestListener } from "node:http";
import { afterEach, expect, test } from "vitest";
import { ask, DirectoryUnavailable, getJson } from "./request.ts";
import { serveHttp } from "./server.testing.ts";

let close = async () => {};
afterEach(() => close());

/** A connection to a server that answers with `listener`, and the requests that it gets. */
async function connect(listener: RequestListener) {
  const requests: string[] = [];
  const server = await serveHttp((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    listener(request, response);
  });
  close = server.close;
  return { connection: { url: server.url, fetch, timeout: 5_000 }, requests };
}

function answers(status: number, body: string): RequestListener {
  return (_request, response) => response.writeHead(status, { "content-type": "application/json" }).end(body);
}

test("an answer with status 200 is its JSON, whatever that holds", async () => {
  const { connection, requests } = await connect(answers(200, '{"status":404}'));
  expect(await getJson(connection, "/api/me", "bth_x")).toEqual({ ok: true, body: { status: 404 } });
  expect(requests).toEqual(["GET /api/me Bearer bth_x"]);
});

test("401 and 404 are answers", async () => {
  for (const status of [401, 404] as const) {
    const { connection } = await connect(answers(status, "{}"));
    expect(await getJson(connection, "/api/me", "bth_x")).toEqual({ ok: false, status });
    await close();
  }
  close = async () => {};
});

test.each([
  [403, "{}"],
  [500, "{}"],
  [200, "<html>"],
])("status %i with %s is no answer, after one retry", async (status, body) => {
  const { connection, requests } = await connect(answers(status, body));
  await expect(getJson(connection, "/api/me", "bth_x")).rejects.toThrow(DirectoryUnavailable);
  expect(requests).toHaveLength(2);
});

test("a redirect is not followed with the token", async () => {
  const { connection } = await connect((_request, response) =>
    response.writeHead(302, { location: "/elsewhere" }).end(),
  );
  await expect(getJson(connection, "/api/me", "bth_x")).rejects.toThrow(DirectoryUnavailable);
});

test("what cannot be a token is refused without a request", async () => {
  const { connection, requests } = await connect(answers(200, "{}"));
  expect(await getJson(connection, "/api/me", "two\r\nlines")).toEqual({ ok: false, status: 401 });
  expect(requests).toEqual([]);
});

test("a refusal carries the detail of its problem document", async () => {
  const { connection } = await connect(answers(409, '{"detail":"The login is taken."}'));
  const refused = await ask(connection, { method: "POST", path: "/api/users", token: "bth_x", body: {} });
  expect(refused).toEqual({ ok: false, status: 409, detail: "The login is taken." });
});

test("an empty answer has no body", async () => {
  const { connection } = await connect((_request, response) => response.writeHead(204).end());
  const answer = await ask(connection, { method: "DELETE", path: "/api/users/1", token: "bth_x" });
  expect(answer).toEqual({ ok: true, body: undefined });
});
