import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listenOnSocket } from "./unix-socket.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "berth-socket-"));
});
afterAll(() => rm(folder, { recursive: true }));

it("makes a socket with its mode, and replaces the one of a server that is gone", async () => {
  const path = join(folder, "free.sock");
  for (let round = 0; round < 2; round++) {
    const server = createServer();
    await listenOnSocket(server, { path, mode: 0o640 });
    const { mode } = await stat(path);
    expect([mode & 0o777, (await stat(path)).isSocket()]).toEqual([0o640, true]);
    const closed = once(server, "close");
    server.close();
    await closed;
    if (round === 0) await leaveDead(path);
  }
});

/** Leaves what a killed server does: a socket's file, with nobody behind it. */
async function leaveDead(path: string): Promise<void> {
  const script = `require("net").createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, "SIGKILL"))`;
  const { spawn } = await import("node:child_process");
  await once(spawn(process.execPath, ["-e", script], { stdio: "ignore" }), "exit");
  expect((await stat(path)).isSocket()).toBe(true);
}

it("refuses the path of a live server", async () => {
  const path = join(folder, "taken.sock");
  const other = createServer().listen(path);
  await once(other, "listening");
  await expect(listenOnSocket(createServer(), { path, mode: 0o600 })).rejects.toThrow("is in use");
  other.close();
});

it.each(["file", "link"])("leaves a %s of another kind alone", async (kind) => {
  const file = join(folder, "precious");
  await writeFile(file, "data");
  const path = kind === "file" ? file : join(folder, "link");
  if (kind === "link") await symlink(file, path);
  await expect(listenOnSocket(createServer(), { path, mode: 0o600 })).rejects.toThrow(
    `${path} is a file and no socket`,
  );
  expect(await readFile(path, "utf8")).toBe("data");
});
