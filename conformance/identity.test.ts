import { execFile } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Authority, createAuthority, type Issued } from "../tools/certificates.testing.ts";
import { type BerthWithDirectory, freePort, startBerthWithDirectory } from "./berth.testing.ts";
import type { Ran } from "./docker.testing.ts";

/** An account that every Debian system has, and that may do nothing but what anyone may. */
const ACCOUNT = "daemon";

let berth: BerthWithDirectory;
let authority: Authority;
let listen: string;
/** Of the CLI: empty, and open to every account. */
let config: string;
let ann: Issued;
let revoked: Issued;
let server: Issued;
let tokenFile: string;
let tokenId: number;
let serviceId: number;
let annId: number;

let directory: { readonly url: string; readonly adminToken: string };

async function api(
  method: string,
  path: string,
  json: object,
): Promise<{ readonly id: number; readonly token: string }> {
  const headers = { authorization: `Bearer ${directory.adminToken}`, "content-type": "application/json" };
  const response = await fetch(`${directory.url}/api${path}`, { method, headers, body: JSON.stringify(json) });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${await response.text()}`);
  return (await response.json()) as { id: number; token: string };
}
function addUser(login: string, role = "user") {
  return api("POST", "/users", { login, email: `${login}@example.com`, role });
}

beforeAll(async () => {
  listen = `127.0.0.1:${await freePort()}`;
  berth = await startBerthWithDirectory(async ({ folder, ...one }) => {
    directory = one;
    // Accounts other than root have to come by.
    chmodSync(folder, 0o711);
    authority = await createAuthority(join(folder, "ca"));
    server = await authority.issueServer();
    ann = await authority.issueClient("/O=Example/CN=ann");
    revoked = await authority.issueClient("/CN=ann");
    await authority.revoke(revoked);
    ({ id: annId } = await addUser("ann"));
    await addUser(ACCOUNT);
    const service = await addUser("second-service", "operator");
    serviceId = service.id;
    const { id, token } = await api("POST", "/tokens", {
      label: "service",
      scopes: ["read", "report"],
      userId: service.id,
    });
    tokenId = id;
    tokenFile = join(folder, "token");
    writeFileSync(tokenFile, `${token}\n`, { mode: 0o600 });
    config = join(folder, "docker-config");
    mkdirSync(config);
    return {
      BERTH_TLS_LISTEN: listen,
      BERTH_TLS_CERT: server.cert,
      BERTH_TLS_KEY: server.key,
      BERTH_TLS_CA: authority.ca,
      BERTH_TLS_CRL: authority.crl,
      BERTH_USER_SOCKETS: ACCOUNT,
      BERTH_DIRECTORY_TOKEN_FILE: tokenFile,
    };
  });
});
afterAll(() => berth?.close());

function ran(...[command = "", ...args]: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(command, args, (fault, stdout, stderr) =>
      resolve({ code: fault === null ? 0 : Number(fault.code ?? 1), stdout, stderr }),
    );
  });
}

/** The unmodified Docker CLI over TLS, with a client certificate or without. */
function overTls(issued: Issued | undefined, folder = config): readonly string[] {
  const pair = issued === undefined ? [] : ["--tlscert", issued.cert, "--tlskey", issued.key];
  return ["docker", "--config", folder, "--tlsverify", "--tlscacert", authority.ca, ...pair, "-H", `tcp://${listen}`];
}
function tls(issued: Issued | undefined, ...args: readonly string[]) {
  return ran(...overTls(issued), ...args);
}
/** The same with something on its standard input. */
function fed(input: string, ...args: readonly string[]) {
  return ran("sh", "-c", 'input=$1; shift; echo "$input" | "$@"', "sh", input, ...overTls(ann), ...args);
}

function socketOf(login: string) {
  return join(berth.run, "users", `${login}.sock`);
}

/** The Docker CLI run by a system account on a user's socket. */
function as(who: string, ...args: readonly string[]): Promise<Ran> {
  const docker = ["docker", "--config", config, "-H", `unix://${socketOf(ACCOUNT)}`];
  return ran("runuser", "-u", who, "--", ...docker, ...args);
}

/** A change is in force a second later at the latest. */
function inForce() {
  return new Promise((resolve) => setTimeout(resolve, 1_100));
}

function setActive(active: boolean) {
  return api("PATCH", `/users/${annId}`, { active });
}

describe("a client certificate", () => {
  it("lets its user in, who sees its own containers alone", async () => {
    expect(await tls(ann, "run", "-d", "--name", "anns", "busybox", "sleep", "600")).toMatchObject({ code: 0 });
    await berth.expect([201], "POST", "/containers/create?name=others", { Image: "busybox" });
    expect((await tls(ann, "ps", "-a", "--format", "{{.Names}}")).stdout).toBe("anns\n");
    expect(await as(ACCOUNT, "ps", "-aq")).toMatchObject({ code: 0, stdout: "" });
    expect((await tls(ann, "rmi", "busybox")).stderr).toContain("only an administrator may");
    expect((await tls(ann, "run", "--privileged", "busybox")).stderr).toContain("privileged is not granted");
  });

  it("carries input, output and exit codes, also past the end of the input", async () => {
    const script = ["sh", "-c", "cat; echo after; exit 7"];
    const runs = await fed("first", "run", "-i", "--rm", "busybox", ...script);
    expect(runs).toMatchObject({ code: 7, stdout: "first\nafter\n" });
    const executes = await fed("second", "exec", "-i", "anns", ...script);
    expect(executes).toMatchObject({ code: 7, stdout: "second\nafter\n" });
    expect((await tls(ann, "cp", "anns:/etc/hostname", "-")).code).toBe(0);
  });

  it("carries a terminal", async () => {
    const command = [...overTls(ann), "run", "-it", "--rm", "busybox", "tty"].join(" ");
    expect((await ran("script", "-qec", command, "/dev/null")).stdout).toContain("/dev/pts/0");
  });

  it("lets nobody in whom the directory does not know", async () => {
    const { code, stderr } = await tls(await authority.issueClient("/CN=mallory"), "ps");
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("the directory has no user mallory") });
  });

  it("lets nobody in once it is revoked", async () => {
    expect((await tls(revoked, "ps")).stderr).toContain("the client certificate is not accepted: CERT_REVOKED");
  });

  it("lets nobody in where another CA signed it, or where there is none", async () => {
    const other = await createAuthority(join(authority.ca, "../other"));
    // The CLI shows no certificate where the service asks for those of another CA.
    for (const issued of [await other.issueClient("/CN=ann"), undefined])
      expect((await tls(issued, "ps")).stderr).toContain("authentication required");
  });

  it("is not needed where a token speaks", async () => {
    const withToken = join(berth.run, "../token-config");
    mkdirSync(withToken);
    const headers = { Authorization: `Bearer ${berth.adminToken}` };
    writeFileSync(join(withToken, "config.json"), JSON.stringify({ HttpHeaders: headers }), { mode: 0o600 });
    const { stdout } = await ran(...overTls(undefined, withToken), "ps", "-a", "--format", "{{.Names}}");
    expect(stdout).toBe("others\nanns\n");
  });

  it("lets its user in no more a second after it was disabled", async () => {
    await setActive(false);
    await inForce();
    expect((await tls(ann, "ps")).stderr).toContain("the user ann is disabled in the directory");
    await setActive(true);
    await inForce();
    expect((await tls(ann, "ps")).code).toBe(0);
  });
});

describe("a user's socket", () => {
  it("lets its account work as the directory's user of that name", async () => {
    expect(await as(ACCOUNT, "run", "-d", "--name", "theirs", "busybox", "sleep", "600")).toMatchObject({ code: 0 });
    expect((await as(ACCOUNT, "ps", "-a", "--format", "{{.Names}}")).stdout).toBe("theirs\n");
    expect((await as(ACCOUNT, "run", "--pid", "host", "busybox")).stderr).toContain("host-pid is not granted");
  });

  it("lets no other account open it, and none the administrators'", async () => {
    const { mode, uid } = statSync(socketOf(ACCOUNT));
    expect({ mode: mode & 0o777, uid }).toEqual({ mode: 0o600, uid: 1 });
    expect((await as("nobody", "ps")).stderr).toContain("permission denied");
    const docker = ["docker", "--config", config, "-H", `unix://${berth.socket}`, "ps"];
    expect((await ran("runuser", "-u", ACCOUNT, "--", ...docker)).stderr).toContain("permission denied");
  });
});

/** The serial number of the certificate that the service shows. */
function servedSerial(): Promise<string> {
  const [host, port] = listen.split(":");
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.once("error", reject);
  });
}

describe("a reload (SIGHUP)", () => {
  const reload = () => process.kill(berth.container.pid, "SIGHUP");

  it("serves a renewed certificate, and keeps it where the next one is no good", async () => {
    const renewed = await authority.issueServer();
    const serial = new X509Certificate(readFileSync(renewed.cert)).serialNumber;
    copyFileSync(renewed.cert, server.cert);
    copyFileSync(renewed.key, server.key);
    expect(await servedSerial()).not.toBe(serial);
    reload();
    await expect.poll(servedSerial).toBe(serial);
    expect((await tls(ann, "ps")).code).toBe(0);
    const good = readFileSync(server.cert);
    writeFileSync(server.cert, "no certificate");
    reload();
    await inForce();
    expect(await servedSerial()).toBe(serial);
    expect((await tls(ann, "ps")).code).toBe(0);
    writeFileSync(server.cert, good);
  });

  it("heeds a new revocation list", async () => {
    const leaving = await authority.issueClient("/CN=ann");
    expect((await tls(leaving, "ps")).code).toBe(0);
    await authority.revoke(leaving);
    reload();
    await expect.poll(async () => (await tls(leaving, "ps")).stderr).toContain("CERT_REVOKED");
  });

  it("takes a new token of the service, so that the old one can be revoked", async () => {
    const { token } = await api("POST", "/tokens", { label: "next", scopes: ["read", "report"], userId: serviceId });
    writeFileSync(tokenFile, `${token}\n`);
    reload();
    await fetch(`${directory.url}/api/tokens/${tokenId}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${directory.adminToken}` },
    });
    await expect.poll(async () => (await as(ACCOUNT, "ps")).code).toBe(0);
    await inForce();
    expect((await as(ACCOUNT, "ps")).code).toBe(0);
  });
});

describe("without the directory", () => {
  it("nobody is let in by certificate or socket, and the administrators' socket goes on", async () => {
    await berth.directory.end("SIGKILL");
    await inForce();
    expect((await tls(ann, "ps")).stderr).toContain("the directory cannot be reached");
    expect((await as(ACCOUNT, "ps")).stderr).toContain("the directory cannot be reached");
    expect((await berth.ask("GET", "/containers/json")).status).toBe(200);
  });
});
