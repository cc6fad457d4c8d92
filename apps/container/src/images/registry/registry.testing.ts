import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createPrivateKey, randomUUID, sign, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export const CREDENTIALS = { username: "ann", password: "open sesame" } as const;
/** Created once with bcrypt's lowest cost. */
const PASSWORD_HASH = "$2y$04$abcdefghijklmnopqrstuu/LVz6MZlItEy42I2juLihZ66HnQx/cy";

export interface TestRegistry {
  /** `127.0.0.1:PORT`. */
  readonly host: string;
  stop(): Promise<void>;
}

export type RegistryLock = "none" | "htpasswd" | "token";

/** The real registry with its own directory, open or locked with `credentials`. */
export async function startTestRegistry(lock: RegistryLock = "none"): Promise<TestRegistry> {
  const dir = await mkdtemp(join(tmpdir(), "berth-registry-"));
  const tokens = lock === "token" ? await startTokenServer(dir) : undefined;
  const auth = {
    none: "",
    htpasswd: `auth: {htpasswd: {realm: berth, path: ${join(dir, "htpasswd")}}}`,
    token: `auth: {token: {realm: "${tokens?.realm}", service: test, issuer: test, rootcertbundle: ${join(dir, "cert.pem")}}}`,
  }[lock];
  await writeFile(join(dir, "htpasswd"), `${CREDENTIALS.username}:${PASSWORD_HASH}\n`);
  await writeFile(
    join(dir, "config.yml"),
    `version: 0.1
log: {accesslog: {disabled: true}, level: info, formatter: json}
storage: {filesystem: {rootdirectory: ${join(dir, "data")}}, delete: {enabled: true}}
http: {addr: 127.0.0.1:0}
${auth}
`,
  );
  const child = spawn("docker-registry", ["serve", join(dir, "config.yml")], { stdio: ["ignore", "ignore", "pipe"] });
  const stop = async (): Promise<void> => {
    await end(child);
    await tokens?.stop();
    await rm(dir, { recursive: true, force: true });
  };
  try {
    return { host: await listeningAddress(child), stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

async function listeningAddress(child: ChildProcess): Promise<string> {
  if (child.stderr === null) throw new Error("no stderr");
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line);
    const address = /listening on (127\.0\.0\.1:\d+)/.exec(line)?.[1];
    if (address !== undefined) {
      child.stderr.resume();
      return address;
    }
  }
  throw new Error(`the registry did not start: ${said.join("\n")}`);
}

/** Issues the registry's tokens: to anyone for pulling `open/…`, to `credentials` for everything. */
async function startTokenServer(dir: string): Promise<{ readonly realm: string; stop(): Promise<void> }> {
  const [keyFile, certFile] = [join(dir, "key.pem"), join(dir, "cert.pem")];
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=test"];
  execFileSync("openssl", [...request, "-keyout", keyFile, "-out", certFile], { stdio: "ignore" });
  const key = createPrivateKey(await readFile(keyFile));
  const certificate = new X509Certificate(await readFile(certFile)).raw.toString("base64");
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const expected = `Basic ${Buffer.from(`${CREDENTIALS.username}:${CREDENTIALS.password}`).toString("base64")}`;

  const server = createHttpServer((incoming, answer) => {
    const query = new URL(incoming.url ?? "", "http://token").searchParams;
    const known = incoming.headers.authorization === expected;
    if (incoming.headers.authorization !== undefined && !known) {
      answer
        .writeHead(401)
        .end(JSON.stringify({ errors: [{ code: "UNAUTHORIZED", message: "incorrect username or password" }] }));
      return;
    }
    const access = query.getAll("scope").flatMap((scope) => {
      const [type, name = "", actions = ""] = scope.split(":");
      const granted = actions.split(",").filter((action) => known || (action === "pull" && name.startsWith("open/")));
      return granted.length === 0 ? [] : [{ type, name, actions: granted }];
    });
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: "test", sub: known ? CREDENTIALS.username : "", aud: "test", access, jti: randomUUID() };
    const head = encode({ typ: "JWT", alg: "RS256", x5c: [certificate] });
    const body = `${head}.${encode({ ...claims, iat: now, nbf: now - 5, exp: now + 300 })}`;
    const token = `${body}.${sign("sha256", Buffer.from(body), key).toString("base64url")}`;
    answer.setHeader("content-type", "application/json").end(JSON.stringify({ token }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    realm: `http://127.0.0.1:${port}/token`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export interface CuttingProxy {
  readonly host: string;
  /** How many connections it has interrupted. */
  readonly cuts: number;
  stop(): Promise<void>;
}

/** Forwards TCP to `target`, and interrupts the first `times` connections after `afterBytes` in either direction. */
export async function startCuttingProxy(
  target: string,
  {
    afterBytes,
    times,
    way = "down",
  }: { readonly afterBytes: number; readonly times: number; readonly way?: "down" | "up" },
): Promise<CuttingProxy> {
  const [host = "", port = ""] = target.split(":");
  const sockets = new Set<Socket>();
  let cuts = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), host);
    let passed = 0;
    const [from, to] = way === "down" ? [upstream, client] : [client, upstream];
    from.on("data", (chunk: Buffer) => {
      if (cuts < times && passed + chunk.length > afterBytes) {
        cuts++;
        to.write(chunk.subarray(0, afterBytes - passed));
        // Deliver the bytes up to the limit, then close both ends.
        to.end(() => {
          client.destroy();
          upstream.destroy();
        });
        from.removeAllListeners("data");
        return;
      }
      passed += chunk.length;
      to.write(chunk);
    });
    to.pipe(from);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    get cuts() {
      return cuts;
    },
    stop: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
