import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { Exec } from "../../containers/containers.ts";
import { appWith, containerId, type Fakes } from "../routes/app.testing.ts";
import { type Listening, serve } from "./server.ts";

/** What a test's server consists of; recreated for each test by `engineHooks`. */
export const ENGINE: { folder: string; listening: Listening | undefined } = { folder: "", listening: undefined };

/** Creates a directory for each test, and removes it and the server afterwards. */
export function engineHooks(): void {
  beforeEach(async () => {
    ENGINE.folder = await mkdtemp(join(tmpdir(), "berth-server-"));
  });

  afterEach(async () => {
    await ENGINE.listening?.close({ graceMilliseconds: 0 });
    ENGINE.listening = undefined;
    await rm(ENGINE.folder, { recursive: true });
  });
}

export function path() {
  return join(ENGINE.folder, "engine.sock");
}

/** Serves the app over the fakes on the test's socket. */
export async function start(fakes: Fakes) {
  const made = appWith(fakes);
  ENGINE.listening = await serve(made.app, {
    kind: "unix",
    path: path(),
    mode: 0o660,
    actor: { kind: "administrator", id: undefined, login: "root" },
  });
  return made;
}

interface Client {
  readonly socket: Socket;
  /** The received text up to and including `text`. */
  readonly until: (text: string) => Promise<string>;
  /** The received text up to the end. */
  readonly rest: () => Promise<Buffer>;
}

/** Opens a raw connection to the test's socket. */
export async function dial(): Promise<Client> {
  const socket = connect({ path: path(), allowHalfOpen: true });
  await once(socket, "connect");
  return gather(socket);
}

/** Collects what a connection receives. */
export function gather(socket: Socket): Client {
  let got = Buffer.alloc(0);
  let ended = false;
  socket.on("data", (chunk: Buffer) => {
    got = Buffer.concat([got, chunk]);
    socket.emit("got");
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    ended = true;
    socket.emit("got");
  });
  socket.on("end", () => {
    ended = true;
    socket.emit("got");
  });
  // Unlike `once` of node:events, ignores errors: a reset ends in `close`.
  const more = () => new Promise((resolve) => socket.once("got", resolve));
  const until = async (text: string): Promise<string> => {
    while (!got.includes(text)) {
      if (ended) throw new Error(`ended before ${JSON.stringify(text)}: ${got.toString()}`);
      await more();
    }
    const end = got.indexOf(text) + text.length;
    const head = got.subarray(0, end).toString();
    got = got.subarray(end);
    return head;
  };
  const rest = async (): Promise<Buffer> => {
    while (!ended) await more();
    return got;
  };
  return { socket, until, rest };
}

/** The bytes of a request. */
export function headersOf(method: string, target: string, more: readonly string[] = [], body = "") {
  return `${[`${method} ${target} HTTP/1.1`, "Host: docker", ...more, `Content-Length: ${body.length}`].join("\r\n")}\r\n\r\n${body}`;
}

export const UPGRADE = ["Connection: Upgrade", "Upgrade: tcp"];

/** An exec of `cat` that has not started. */
export const EXEC: Exec = {
  id: "e1",
  containerId,
  request: {
    cmd: ["cat"],
    env: [],
    user: "",
    workingDir: "",
    tty: false,
    privileged: false,
    attachStdin: true,
    attachStdout: true,
    attachStderr: true,
    detachKeys: "",
  },
  running: false,
  pid: 0,
  exitCode: null,
};
