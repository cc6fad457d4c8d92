import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, request } from "node:https";
import { type AddressInfo, connect, createServer as createPlainServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Authority, createAuthority, type Issued } from "../../../tools/certificates.testing.ts";
import { type PeerCertificate, peerCertificateOf } from "./peer-certificate.ts";
import { readTls, tlsSettings } from "./tls.ts";

let folder: string;
let authority: Authority;
let server: Issued;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "berth-tls-"));
  authority = await createAuthority(join(folder, "ours"));
  server = await authority.issueServer();
});
afterAll(() => rm(folder, { recursive: true }));

describe("the settings", () => {
  it.each([
    [{}, undefined],
    [{ X_CERT: "", X_KEY: "" }, undefined],
    [
      { X_CERT: "c", X_KEY: "k" },
      { cert: "c", key: "k", ca: undefined, crl: undefined },
    ],
    [
      { X_CERT: "c", X_KEY: "k", X_CA: "a", X_CRL: "l" },
      { cert: "c", key: "k", ca: "a", crl: "l" },
    ],
  ])("%j", (env, files) => expect(tlsSettings("X", env)).toEqual(files));

  it.each([
    [{ X_CERT: "c" }, "X_KEY: is missing"],
    [{ X_KEY: "k" }, "X_CERT: is missing"],
    [{ X_CA: "a" }, "X_CERT: is missing"],
    [{ X_CERT: "c", X_KEY: "k", X_CRL: "l" }, "X_CA: is missing"],
  ])("refuses %j", (env, message) => expect(() => tlsSettings("X", env)).toThrow(message));
});

describe("the files", () => {
  const files = (more: object) => ({ ...server, ca: undefined, crl: undefined, ...more });
  it("names the missing file", async () => {
    await expect(readTls("X", files({ key: "/nowhere/key.pem" }))).rejects.toThrow(
      "X_KEY: /nowhere/key.pem cannot be read",
    );
  });
  it("names files that do not belong together, and shows nothing of their content", async () => {
    const other = await authority.issueServer();
    const reading = readTls("X", files({ key: other.key }));
    await expect(reading).rejects.toThrow("X_CERT and X_KEY: ");
    await expect(reading).rejects.not.toThrow(/BEGIN|PRIVATE/);
  });
  it.each(["CA", "CRL"])("refuses a %s that is none", async (name) => {
    const none = join(folder, "none.pem");
    await writeFile(none, "none\n");
    await expect(readTls("X", files({ ca: authority.ca, [name.toLowerCase()]: none }))).rejects.toThrow(`X_${name}: `);
  });
});

/** What a server with our CA reads of a client that shows `shown`. */
async function seen(shown: Issued | undefined, crl?: string): Promise<PeerCertificate | undefined> {
  const credentials = await readTls("X", { ...server, ca: authority.ca, crl });
  let peer: PeerCertificate | undefined;
  const listening = createServer(credentials, (incoming, outgoing) => {
    peer = peerCertificateOf(incoming.socket);
    outgoing.end();
  }).listen(0, "127.0.0.1");
  await once(listening, "listening");
  try {
    const { port } = listening.address() as AddressInfo;
    const pair = shown && { cert: await readFile(shown.cert), key: await readFile(shown.key) };
    const sent = request({ host: "localhost", port, ca: await readFile(authority.ca), agent: false, ...pair }).end();
    const [response] = await once(sent, "response");
    await once(response.resume(), "end");
    return peer;
  } finally {
    listening.close();
  }
}

describe("a client's certificate", () => {
  it("has the name of its subject", async () => {
    expect(await seen(await authority.issueClient("/O=Example/CN=ann"))).toEqual({ name: "ann" });
  });
  it("is undefined if none was presented", async () => expect(await seen(undefined)).toBeUndefined());
  it("has no name if another CA signed it, even one of the same name", async () => {
    const other = await createAuthority(join(folder, "other"));
    expect(await seen(await other.issueClient("/CN=ann"))).toEqual({
      fault: expect.stringMatching(/VERIFY|SIGNATURE|ISSUER/),
    });
  });
  it("has no name if it is a server certificate", async () => {
    expect(await seen(await authority.issueServer())).toEqual({ fault: "INVALID_PURPOSE" });
  });
  it.each(["/O=Example", "/CN=ann/CN=root"])("gives no name where there is not exactly one: %s", async (subject) => {
    expect(await seen(await authority.issueClient(subject))).toEqual({ fault: "its subject needs exactly one CN" });
  });
  it("has no name once it is revoked", async () => {
    const ann = await authority.issueClient("/CN=ann");
    expect(await seen(ann, authority.crl)).toEqual({ name: "ann" });
    await authority.revoke(ann);
    expect(await seen(ann, authority.crl)).toEqual({ fault: "CERT_REVOKED" });
  });
  it("is undefined without TLS", async () => {
    const plain = createPlainServer();
    const connected = once(plain.listen(0, "127.0.0.1"), "connection");
    await once(plain, "listening");
    const client = connect((plain.address() as AddressInfo).port, "127.0.0.1");
    const [socket] = await connected;
    expect(peerCertificateOf(socket)).toBeUndefined();
    client.destroy();
    plain.close();
  });
});
