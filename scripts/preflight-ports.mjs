import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

/** @typedef {{ host: string, port: number }} Address */

/** Settings with an address that a service binds, and what it is when unset. */
const BOUND = [
  "BERTH_DIRECTORY_LISTEN",
  "BERTH_DIRECTORY_METRICS_LISTEN",
  "BERTH_LISTEN",
  "BERTH_METRICS_LISTEN",
  "BERTH_TLS_LISTEN",
];

/**
 * What Berth will listen on. An address that cannot be read is left out: that is a wrong setting, which is reported as such.
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {{ setting: string, address: Address, required: boolean }[]}
 */
export function addressesToBind(env) {
  const bound = BOUND.flatMap((setting) => {
    // The directory of another host.
    if (setting.startsWith("BERTH_DIRECTORY_") && env.BERTH_SERVICES === "container") return [];
    const address = readAddress(env[setting] ?? "");
    return address === undefined ? [] : [{ setting, address, required: true }];
  });
  const demo = Number(env.BERTH_DEMO_PORT);
  const isPort = process.getuid?.() === 0 && Number.isInteger(demo) && demo > 0 && demo < 65_536;
  return isPort
    ? [...bound, { setting: "BERTH_DEMO_PORT", address: { host: "127.0.0.1", port: demo }, required: false }]
    : bound;
}

/** @param {string} text @returns {Address | undefined} */
export function readAddress(text) {
  const [, v6, host = v6, digits] = /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  return host === undefined || Number(digits) > 65_535 ? undefined : { host, port: Number(digits) };
}

/** Whether only one program can have both. @param {Address} one @param {Address} other */
export function overlap(one, other) {
  const anywhere = ["0.0.0.0", "::"];
  return (
    one.port === other.port &&
    one.port !== 0 &&
    (one.host === other.host || anywhere.includes(one.host) || anywhere.includes(other.host))
  );
}

/** Binds the address for a moment. @param {Address} address @returns {Promise<NodeJS.ErrnoException | undefined>} why it cannot be bound */
export function tryBind({ host, port }) {
  return new Promise((settle) => {
    const server = createServer();
    server.once("error", settle);
    server.listen({ host, port, exclusive: true }, () => server.close(() => settle(undefined)));
  });
}

/**
 * Who listens on the port, as far as this user and this machine's programs tell.
 * @param {number} port
 * @returns {{ text: string, isBerth: boolean }}
 */
export function holderOf(port) {
  const { stdout } = spawnSync("ss", ["-Hltnp", "sport", "=", `:${port}`], { encoding: "utf8", timeout: 1000 });
  const [, name, pid] = /users:\(\("([^"]*)",pid=(\d+)/.exec(stdout ?? "") ?? [];
  const ours = ["directory", "container"].flatMap(pidOf);
  // Without ss nobody tells; where Berth runs, it is most likely Berth.
  if (pid === undefined) return { text: "another program", isBerth: ours.length > 0 };
  return { text: `process ${pid} (${name})`, isBerth: ours.includes(pid) };
}

/** @param {string} service @returns {string[]} its process, if it runs */
function pidOf(service) {
  try {
    const pid = readFileSync(join(process.env.BERTH_RUN ?? "", `${service}.pid`), "utf8").trim();
    process.kill(Number(pid), 0);
    return [pid];
  } catch {
    return [];
  }
}
