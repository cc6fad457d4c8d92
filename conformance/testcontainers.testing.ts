import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { loadBusybox } from "../scripts/busybox.mjs";
import type { Berth } from "./berth.testing.ts";
import { loadReaper as loadReaperImage } from "./fixture-images.mjs";

/** What testcontainers would have of a registry on the internet: images of the same behaviour. */
const IMAGES = { RYUK_CONTAINER_IMAGE: "berth-test/ryuk:1", SSHD_CONTAINER_IMAGE: "berth-test/sshd:1" } as const;

/** The settings by which testcontainers finds the engine and the images. It reads them when it is first imported. */
export function settingsFor(berth: Pick<Berth, "socket">) {
  return { DOCKER_HOST: `unix://${berth.socket}`, ...IMAGES };
}

const ROOT = resolve(import.meta.dirname, "..");

/** Loads a reaper that speaks Ryuk's protocol. */
export function loadReaper({ socket }: Pick<Berth, "socket">): Promise<void> {
  return loadReaperImage(`unix:${socket}`, IMAGES.RYUK_CONTAINER_IMAGE);
}

/** The libraries that a program is loaded with, as the image's files. */
function librariesOf(program: string, unpacked: string) {
  const folders = ["lib", "usr/lib"].flatMap((name) => [name, `${name}/x86_64-linux-gnu`, `${name}/aarch64-linux-gnu`]);
  const LD_LIBRARY_PATH = folders.map((name) => join(unpacked, name)).join(":");
  const told = execFileSync("ldd", [program], { env: { ...process.env, LD_LIBRARY_PATH }, encoding: "utf8" });
  const paths = [...told.matchAll(/(\/\S+) \(0x/g)].map(([, path = ""]) => path);
  const loader = paths.find((path) => basename(path).startsWith("ld-linux")) ?? "";
  const folder = dirname(paths.find((path) => basename(path) === "libc.so.6") ?? "/lib/libc.so.6");
  return paths.map((path) => ({
    name: (path === loader ? path : join(folder, basename(path))).slice(1),
    mode: 0o755,
    content: readFileSync(path),
  }));
}

/**
 * Loads an SSH server made of Debian's, which behaves as testcontainers': `root` logs in with the environment's `PASSWORD`, and a
 * port that the client forwards is open to everyone.
 */
export async function loadSshServer({ socket }: Pick<Berth, "socket">): Promise<void> {
  const unpacked = join(ROOT, ".cache/openssh");
  const server = ["/usr/sbin/sshd", join(unpacked, "usr/sbin/sshd")].find((path) => existsSync(path));
  if (server === undefined) throw new Error("sshd is missing: npm test unpacks it under .cache/openssh");
  const key = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  }).privateKey;
  const settings = ["PermitRootLogin=yes", "GatewayPorts=yes", "AllowTcpForwarding=yes", "PasswordAuthentication=yes"];
  const command = [
    'echo "root:$(mkpasswd -m sha512 "$PASSWORD"):19000::::::" > /etc/shadow',
    "mkdir -p /run/sshd",
    `exec /usr/sbin/sshd -D -e ${settings.map((setting) => `-o ${setting}`).join(" ")}`,
  ].join(" && ");
  await loadBusybox(`unix:${socket}`, IMAGES.SSHD_CONTAINER_IMAGE, {
    files: [
      { name: "usr/sbin/sshd", mode: 0o755, content: readFileSync(server) },
      ...librariesOf(server, unpacked),
      { name: "etc/ssh/sshd_config", mode: 0o644, content: "" },
      { name: "etc/ssh/ssh_host_rsa_key", mode: 0o600, content: key },
      {
        name: "etc/passwd",
        mode: 0o644,
        content: "root:x:0:0:root:/root:/bin/sh\nsshd:x:100:65534::/run/sshd:/bin/false\n",
      },
    ],
    command: ["sh", "-c", command],
  });
}

/** Removes the images again. */
export async function removeImages(berth: Berth): Promise<void> {
  for (const image of Object.values(IMAGES)) await berth.expect([200, 404], "DELETE", `/images/${image}?force=true`);
}
