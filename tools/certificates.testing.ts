import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The files of a certificate and its key, in PEM form. */
export interface Issued {
  readonly cert: string;
  readonly key: string;
}

/** A private CA in a folder of its own. */
export interface Authority {
  /** Its own certificate. */
  readonly ca: string;
  /** Its list of revoked certificates, as of the last `revoke`. */
  readonly crl: string;
  /** A server's certificate for an address; for the loopback if it names none. */
  issueServer(address?: string): Promise<Issued>;
  /** A client's certificate with a subject as openssl writes it, `/CN=ann`. */
  issueClient(subject: string): Promise<Issued>;
  revoke(issued: Issued): Promise<void>;
}

const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

/** Makes a CA in `folder`, which is made too; the folder's name is in its own. */
export async function createAuthority(folder: string): Promise<Authority> {
  const openssl = (...args: readonly string[]) => run("openssl", [...args], { cwd: folder });
  const at = (name: string) => join(folder, name);
  await mkdir(folder, { recursive: true });
  await writeFile(at("index.txt"), "");
  await writeFile(
    at("ca.conf"),
    "[ca]\ndefault_ca = one\n[one]\ndatabase = index.txt\ndefault_md = sha256\ndefault_crl_days = 30\n",
  );
  await openssl(
    "req",
    "-x509",
    ...NEW_KEY,
    "-keyout",
    "ca-key.pem",
    "-out",
    "ca.pem",
    "-subj",
    `/CN=Test CA ${basename(folder)}`,
    "-days",
    "30",
  );
  const ca = ["-CA", "ca.pem", "-CAkey", "ca-key.pem"];
  const list = () =>
    openssl("ca", "-config", "ca.conf", "-gencrl", "-keyfile", "ca-key.pem", "-cert", "ca.pem", "-out", "crl.pem");
  await list();
  let issued = 0;

  const issue = async (subject: string, extensions: string): Promise<Issued> => {
    const name = `${++issued}`;
    await writeFile(at(`${name}.ext`), extensions);
    await openssl("req", "-new", ...NEW_KEY, "-keyout", `${name}-key.pem`, "-out", `${name}.csr`, "-subj", subject);
    const request = ["-req", "-in", `${name}.csr`, "-out", `${name}.pem`, "-extfile", `${name}.ext`, "-days", "30"];
    // A file that counts would be written by several at once.
    await openssl("x509", ...request, ...ca, "-set_serial", name);
    return { cert: at(`${name}.pem`), key: at(`${name}-key.pem`) };
  };
  return {
    ca: at("ca.pem"),
    crl: at("crl.pem"),
    issueServer: (address = "127.0.0.1") =>
      issue("/CN=localhost", `subjectAltName = DNS:localhost, IP:${address}\nextendedKeyUsage = serverAuth\n`),
    issueClient: (subject) => issue(subject, "extendedKeyUsage = clientAuth\n"),
    async revoke({ cert }) {
      await openssl("ca", "-config", "ca.conf", "-revoke", cert, "-keyfile", "ca-key.pem", "-cert", "ca.pem");
      await list();
    },
  };
}
