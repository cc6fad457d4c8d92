import { once } from "node:events";
import { mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Config, readConfig } from "../../config.ts";
import { openDirectory } from "../../policy/open-directory.ts";
import { appWith } from "../routes/app.testing.ts";
import { openListeners, planListeners } from "./listeners.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "berth-listeners-"));
});
afterEach(() => rm(folder, { recursive: true }));

function settings(more: Readonly<Record<string, string>>): Config {
  return readConfig({ BERTH_RUN: folder, BERTH_DIRECTORY_TOKEN_FILE: join(folder, "token"), ...more });
}

describe("planned listeners", () => {
  it("gives each user a socket that belongs to the system account of that name", async () => {
    const [administrators, user] = await planListeners(settings({ BERTH_USER_SOCKETS: "daemon" }));
    expect(administrators).toMatchObject({ kind: "unix", path: join(folder, "berth.sock") });
    const path = join(folder, "users/daemon.sock");
    expect(user).toEqual({ kind: "user", path, login: "daemon", owner: { uid: 1, gid: 1 } });
  });
  // 0 is a user's id, but not a user's name.
  it.each(["no.such.account", "0", "DAEMON"])("names an account that the system does not have: %s", async (login) => {
    await expect(planListeners(settings({ BERTH_USER_SOCKETS: login }))).rejects.toThrow(
      `BERTH_USER_SOCKETS: this system has no account ${login} `,
    );
  });
});

describe("opening listeners", () => {
  it("opens all listeners or none", async () => {
    const config = settings({});
    const plan = await planListeners(config);
    const socket = config.socket;
    const tooLong = { kind: "unix", path: join(folder, "a".repeat(108)), actor: { kind: "administrator" } } as never;
    await expect(openListeners(appWith().app, [...plan, tooLong], config)).rejects.toThrow("too long");
    await expect(stat(socket)).rejects.toMatchObject({ code: "ENOENT" });
    const listeners = await openListeners(appWith().app, plan, config);
    expect((await stat(socket)).mode & 0o777).toBe(0o660);
    await listeners.close();
  });
});

describe("the service's token", () => {
  const opened = async (text: string, mode: number) => {
    await writeFile(join(folder, "token"), text, { mode });
    const directory = await openDirectory({ ...settings({}), directoryUrl: "http://127.0.0.1:9" });
    await directory.close();
  };
  it("is read from a file that only root or a group can open", async () => {
    await opened(`bth_${"a".repeat(49)}\n`, 0o600);
    await opened(`bth_${"a".repeat(49)}`, 0o640);
  });
  it.each([
    ["bth_secret", 0o644, "everyone may open"],
    ["secret", 0o600, "does not hold a directory token"],
    ["bth_one\nbth_two", 0o600, "does not hold a directory token"],
    ["", 0o600, "does not hold a directory token"],
  ])("rejects %j with mode %o without showing it", async (text, mode, message) => {
    const refusal = await opened(text, mode).catch((fault: Error) => fault.message);
    expect(refusal).toContain("BERTH_DIRECTORY_TOKEN_FILE: ");
    expect(refusal).toContain(message);
    expect(refusal).not.toContain("secret");
  });
  it("is named if its file does not exist", async () => {
    const missing = openDirectory({ ...settings({}), directoryUrl: "http://127.0.0.1:9" });
    await expect(missing).rejects.toThrow(`BERTH_DIRECTORY_TOKEN_FILE: ${join(folder, "token")} cannot be read`);
  });
  it("may come later where the directory makes it, and is read again once it is replaced", async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.headers.authorization);
      response.writeHead(404).end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const config = readConfig({ BERTH_STATE: folder, BERTH_DIRECTORY_URL: `http://127.0.0.1:${port}` });
    const directory = await openDirectory(config);
    try {
      expect(await directory.askOwner("1")).toBeUndefined();
      await expect(directory.whoseLogin("ann")).rejects.toThrow("directory-token is missing");
      for (const letter of ["a", "b"]) {
        const token = `bth_${letter.repeat(49)}`;
        await writeFile(join(folder, "next"), token, { mode: 0o600 });
        await rename(join(folder, "next"), join(folder, "directory-token"));
        await expect(directory.askOwner("1")).rejects.toThrow("no such user");
        expect(asked).toContain(`Bearer ${token}`);
      }
      await writeFile(join(folder, "directory-token"), "half a tok");
      await expect(directory.askOwner("2")).rejects.toThrow("no such user");
      await expect(directory.reload()).rejects.toThrow("does not hold a directory token");
    } finally {
      await directory.close();
      server.close();
      server.closeAllConnections();
    }
  });
});
