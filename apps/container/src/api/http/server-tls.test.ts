import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { connect as connectPlain } from "node:net";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { connect } from "node:tls";
import { type PeerCertificate, readTls } from "@berth/service-kit";
import { beforeEach, describe, expect, it } from "vitest";
import { type Authority, createAuthority, type Issued } from "../../../../../tools/certificates.testing.ts";
import type { Attachment } from "../../containers/containers.ts";
import { appWith, type Fakes } from "../routes/app.testing.ts";
import { demultiplex } from "./raw-stream.testing.ts";
import { ENGINE, engineHooks, gather, headersOf, UPGRADE } from "./server.testing.ts";
import { type ListenAt, serve } from "./server.ts";

engineHooks();

let authority: Authority;
let seen: (PeerCertificate | undefined)[];

beforeEach(async () => {
  authority = await createAuthority(join(ENGINE.folder, "ca"));
  seen = [];
});

/** Serves the app over TLS, accepts every request and records the certificate. */
async function startTls(fakes: Fakes = {}) {
  const server = await authority.issueServer();
  const credentials = await readTls("BERTH_TLS", { ...server, ca: authority.ca, crl: undefined });
  const identify: Fakes["identify"] = async ({ certificate }) => {
    seen.push(certificate);
    return { kind: "administrator", id: "1", login: "ann" };
  };
  const { app } = appWith({ identify, ...fakes });
  ENGINE.listening = await serve(app, { kind: "tls", host: "127.0.0.1", port: 0, credentials });
  return ENGINE.listening.port ?? 0;
}

async function dialTls(port: number, shown?: Issued) {
  const pair = shown && { cert: await readFile(shown.cert), key: await readFile(shown.key) };
  const socket = connect({ host: "localhost", port, ca: await readFile(authority.ca), ...pair });
  await once(socket, "secureConnect");
  return gather(socket);
}

describe("TLS", () => {
  it("passes the client certificate on with every request of a connection", async () => {
    const client = await dialTls(await startTls(), await authority.issueClient("/CN=ann"));
    for (let count = 0; count < 2; count++) {
      client.socket.write(headersOf("GET", "/_ping"));
      await client.until("\r\n\r\nOK");
    }
    expect(seen).toEqual([{ name: "ann" }, { name: "ann" }]);
  });

  it("explains the error when another CA signed the certificate", async () => {
    const other = await createAuthority(join(ENGINE.folder, "other"));
    const client = await dialTls(await startTls(), await other.issueClient("/CN=ann"));
    client.socket.write(headersOf("GET", "/_ping"));
    await client.until("\r\n\r\nOK");
    expect(seen).toEqual([{ fault: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }]);
  });

  it.each([
    ["upgraded", UPGRADE, "HTTP/1.1 101 UPGRADED\r\n"],
    ["as an ordinary POST", [], "HTTP/1.1 200 OK\r\n"],
  ])("attaches %s: both ways, half-close ends stdin alone", async (_, headers, line) => {
    const stdin = new PassThrough();
    async function* output(): Attachment["output"] {
      for await (const chunk of stdin) yield [{ stream: "stdout", data: chunk as Buffer }];
      yield [{ stream: "stdout", data: Buffer.from("done\n") }];
    }
    const attach = async () => ({ terminal: false, output: output(), stdin, close: () => stdin.destroy() });
    const client = await dialTls(await startTls({ containers: { attach } }), await authority.issueClient("/CN=ann"));
    client.socket.write(headersOf("POST", "/v1.41/containers/a/attach?stream=1&stdin=1&stdout=1", headers));
    expect((await client.until("\r\n\r\n")).startsWith(line)).toBe(true);
    client.socket.write("hi\n");
    await client.until("hi\n");
    client.socket.end();
    expect(demultiplex([await client.rest()])[1]).toBe("done\n");
    expect(seen).toEqual([{ name: "ann" }]);
  });

  it("keeps serving after a client without TLS and one that trusts another CA", async () => {
    const port = await startTls();
    const plain = connectPlain(port, "127.0.0.1");
    plain.on("error", () => undefined);
    plain.write(headersOf("GET", "/_ping"));
    await once(plain, "close");
    const distrustful = connect({ host: "localhost", port });
    const [fault] = await once(distrustful, "error");
    expect(fault.code).toMatch(/VERIFY|SELF_SIGNED|ISSUER/);
    const client = await dialTls(port);
    client.socket.write(headersOf("GET", "/_ping"));
    await client.until("\r\n\r\nOK");
    expect(seen).toEqual([undefined]);
  });

  it("closes although some connections are idle and some never sent a byte", async () => {
    const port = await startTls();
    const idle = await dialTls(port);
    idle.socket.write(headersOf("GET", "/_ping"));
    await idle.until("\r\n\r\nOK");
    const silent = connectPlain(port, "127.0.0.1");
    silent.on("error", () => undefined);
    await once(silent, "connect");
    await ENGINE.listening?.close({ graceMilliseconds: 0 });
    await idle.rest();
    if (!silent.closed) await once(silent, "close");
  });
});

describe("a user's socket", () => {
  const nobody = { uid: 65_534, gid: 65_534 };
  const user = (path: string): ListenAt => ({ kind: "user", path, login: "ann", owner: nobody });

  // Only root can change a file's owner.
  it.runIf(process.getuid?.() === 0)("belongs to its account alone, and is gone when closed", async () => {
    const path = join(ENGINE.folder, "ann.sock");
    ENGINE.listening = await serve(appWith().app, user(path));
    const { mode, uid, gid } = await stat(path);
    expect({ mode: mode & 0o777, uid, gid }).toEqual({ mode: 0o600, ...nobody });
    await ENGINE.listening.close({ graceMilliseconds: 0 });
    await expect(stat(path)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("is rejected if its path is too long for a socket", async () => {
    const path = join(ENGINE.folder, "a".repeat(108));
    await expect(serve(appWith().app, user(path))).rejects.toThrow("too long for a socket: at most 107 bytes");
  });
});
