import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { appWith } from "../routes/app.testing.ts";
import { gather, headersOf, UPGRADE } from "./server.testing.ts";
import { type Listening, serve } from "./server.ts";
import { Strangers } from "./strangers.ts";

let listening: Listening;

afterEach(() => listening.close({ graceMilliseconds: 0 }));

/** A TCP listener that knows the token `good`. */
async function listen(
  limits: { readonly max?: number; readonly patienceMs?: number },
  directory: () => Promise<unknown> = async () => undefined,
) {
  const ann = { kind: "administrator", id: "7", login: "ann" } as const;
  const { app } = appWith({
    identify: async ({ authorization }) => {
      await directory();
      return authorization === "Bearer good" ? ann : undefined;
    },
  });
  const at = { kind: "tcp", host: "127.0.0.1", port: 0, allowedHosts: ["docker"] } as const;
  listening = await serve(app, at, new Strangers(limits));
}

async function dial() {
  const socket = connect({ host: "127.0.0.1", port: listening.port ?? 0, allowHalfOpen: true });
  await once(socket, "connect");
  return gather(socket);
}

const GOOD = "Authorization: Bearer good";
const PING = headersOf("GET", "/_ping", [GOOD]);
const MEBIBYTE = 1024 * 1024;

/** The head of an upgrade request whose body of 8 MiB never comes. */
function announced(...more: readonly string[]): string {
  const headers = ["Host: docker", ...UPGRADE, ...more, `Content-Length: ${8 * MEBIBYTE}`];
  return `POST /containers/create HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`;
}

it.each([
  ["without a token", []],
  ["with a wrong token", ["Authorization: Bearer bad"]],
])("answers an upgrade request %s before its body, and closes the connection", async (_, headers) => {
  await listen({});
  const client = await dial();
  client.socket.write(`${announced(...headers)}{`);
  expect(await client.until("\r\n\r\n")).toContain("HTTP/1.1 401 Unauthorized");
  await client.rest();
});

describe("a connection that nobody identified", () => {
  it.each([
    ["silence", ""],
    ["an unfinished head", `GET /_ping?x=${"a".repeat(900_000)}`],
    ["an unfinished head of an upgrade", announced().slice(0, -2)],
    ["refused requests", headersOf("GET", "/_ping")],
  ])("is closed after a while: %s", async (_, bytes) => {
    await listen({ patienceMs: 100 });
    const client = await dial();
    client.socket.write(bytes);
    await client.rest();
  });

  it("gives way to a newer one past the limit", async () => {
    await listen({ max: 2 });
    const known = await dial();
    known.socket.write(PING);
    await known.until("OK");
    const [first, second, third] = [await dial(), await dial(), await dial()];
    await first.rest();
    for (const client of [known, second, third]) {
      client.socket.write(PING);
      await client.until("OK");
    }
  });
});

it("keeps a connection whose sender the directory has not named yet, however many come after it", async () => {
  let answer = (): void => undefined;
  let ask = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  await listen({ max: 2 }, () => {
    ask();
    return new Promise<void>((resolve) => {
      answer = resolve;
    });
  });
  const known = await dial();
  known.socket.write(PING);
  await asked;
  const silent = [await dial(), await dial(), await dial()];
  await silent[0]?.rest();
  await silent[1]?.rest();
  answer();
  await known.until("OK");
});

it("leaves an identified connection open", async () => {
  await listen({ max: 1, patienceMs: 100 });
  const known = await dial();
  known.socket.write(PING);
  await known.until("OK");
  const stranger = await dial();
  await stranger.rest();
  known.socket.write(PING);
  await known.until("OK");
});
