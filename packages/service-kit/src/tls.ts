import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { InvalidSettings } from "./settings.ts";

/** Files in PEM form. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
  /** The CA that signs client certificates; without it, none are requested. */
  readonly ca: string | undefined;
  /** The CA's list of revoked client certificates. */
  readonly crl: string | undefined;
}

/** Options of `tls.createServer` and `https.createServer`. */
export interface TlsCredentials {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca?: Buffer;
  readonly crl?: Buffer;
  /** Invalid certificates are rejected per request, with a message, instead of by breaking the handshake. */
  readonly requestCert: boolean;
  readonly rejectUnauthorized: false;
  readonly minVersion: "TLSv1.2";
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads which files `PREFIX_CERT`, `_KEY`, `_CA` and `_CRL` name; undefined if none is set. Throws
 * InvalidSettings with everything that is missing where only some are.
 */
export function tlsSettings(prefix: string, env: Environment): TlsFiles | undefined {
  const given = (name: string) => env[`${prefix}_${name}`] || undefined;
  const [cert, key, ca, crl] = [given("CERT"), given("KEY"), given("CA"), given("CRL")];
  if (cert === undefined && key === undefined && ca === undefined && crl === undefined) return undefined;
  const missing = [
    ...(cert === undefined ? [`${prefix}_CERT: is missing: the file of the server's certificate`] : []),
    ...(key === undefined ? [`${prefix}_KEY: is missing: the file of the certificate's key`] : []),
    ...(crl !== undefined && ca === undefined ? [`${prefix}_CA: is missing: the CA whose list ${prefix}_CRL is`] : []),
  ];
  if (cert === undefined || key === undefined || missing.length > 0) throw new InvalidSettings(missing);
  return { cert, key, ca, crl };
}

/** Reads and validates the files. Throws an error that names the setting whose file is invalid, and never the file's content. */
export async function readTls(prefix: string, files: TlsFiles): Promise<TlsCredentials> {
  const read = async (name: string, path: string): Promise<Buffer> => {
    try {
      return await readFile(path);
    } catch (cause) {
      throw new Error(`${prefix}_${name}: ${path} cannot be read`, { cause });
    }
  };
  const pair = { cert: await read("CERT", files.cert), key: await read("KEY", files.key) };
  tryOut(`${prefix}_CERT and ${prefix}_KEY`, () => createSecureContext(pair));
  const ca = files.ca === undefined ? {} : { ca: await read("CA", files.ca) };
  // Node accepts a file without any certificate as a CA that signed nothing.
  tryOut(`${prefix}_CA`, () => ca.ca && new X509Certificate(ca.ca));
  const crl = files.crl === undefined ? {} : { crl: await read("CRL", files.crl) };
  tryOut(`${prefix}_CRL`, () => createSecureContext(crl));
  return {
    ...pair,
    ...ca,
    ...crl,
    requestCert: files.ca !== undefined,
    rejectUnauthorized: false,
    minVersion: "TLSv1.2",
  };
}

function tryOut(settings: string, use: () => unknown): void {
  try {
    use();
  } catch (cause) {
    throw new Error(`${settings}: not PEM files that go together`, { cause });
  }
}
