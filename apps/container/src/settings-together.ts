import { join } from "node:path";

/** The kernel's bound of a socket's path. */
const LONGEST_SOCKET_PATH = 107;

type Environment = Readonly<Record<string, string | undefined>>;

/** What is wrong with settings that are well formed each: one that another needs is missing, or makes another too long. */
export function faultsBetween(env: Environment): readonly string[] {
  return [...missingFor(env), ...tooLong(env)];
}

const TLS_NEEDS = {
  BERTH_TLS_LISTEN: "host:port, such as 0.0.0.0:2376",
  BERTH_TLS_CERT: "the file of the server's certificate",
  BERTH_TLS_KEY: "the file of the certificate's key",
  // Without it nobody could show a certificate, and the listener is there for those.
  BERTH_TLS_CA: "the file of the CA that signs the clients' certificates",
};

/** A socket whose path the kernel would not take. */
function tooLong(env: Environment): readonly string[] {
  const inRunFolder = join(env.BERTH_RUN || "/run/berth", "berth.sock");
  const path = env.BERTH_SOCKET || inRunFolder;
  const bytes = Buffer.byteLength(path);
  if (bytes <= LONGEST_SOCKET_PATH) return [];
  const name = path === inRunFolder ? "BERTH_RUN" : "BERTH_SOCKET";
  return [`${name}: makes the socket's path ${bytes} bytes long, and Unix takes ${LONGEST_SOCKET_PATH} at most`];
}

/** What some settings need beside them. */
function missingFor(env: Environment): readonly string[] {
  const has = (name: string) => (env[name] ?? "") !== "";
  const isTls = [...Object.keys(TLS_NEEDS), "BERTH_TLS_CRL"].some(has);
  const tls = isTls ? Object.entries(TLS_NEEDS).filter(([name]) => !has(name)) : [];
  return tls.map(([name, what]) => `${name}: is missing: ${what}`);
}
