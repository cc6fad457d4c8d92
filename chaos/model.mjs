// What clients were promised. Each slot is one client with one container; what a kill cut off is `MAYBE`.

export const MAYBE = "maybe";

const KINDS = ["fixed", "dynamic", "range", "always", "health", "auto", "network", "volume"];

/** Kinds whose container publishes the host port `base + slot.n`. */
const FIXED = ["fixed", "health", "volume"];

/** Writes numbered lines and serves its own name; ends with 42 on SIGTERM. */
const SCRIPT =
  "trap 'echo \"end $i\"; exit 42' TERM; mkdir -p /www; hostname > /www/id; httpd -p 80 -h /www; echo begin; " +
  'i=0; while :; do i=$((i+1)); echo "line $i"; sleep 0.1; done';

/**
 * @typedef {object} Slot
 * @property {number} n
 * @property {string} kind
 * @property {number} serial how many containers it had
 * @property {string} name of its container
 * @property {string | undefined} id
 * @property {boolean | "maybe"} exists
 * @property {boolean | "maybe"} running
 * @property {number | undefined} exit the exit code, where it is certain
 * @property {string[]} calls its last calls, and what became of them
 * @property {Map<string, (string | undefined)[]>} files what each file in /tmp may hold; undefined stands for no file
 */

/** @param {number} count @returns {Slot[]} */
export function slotsOf(count) {
  return Array.from({ length: count }, (_, n) => ({
    n,
    kind: KINDS[n % KINDS.length],
    serial: 0,
    name: "",
    id: undefined,
    exists: false,
    running: false,
    exit: undefined,
    calls: [],
    files: new Map(),
  }));
}

/** @param {Slot} slot */
export function hasFixedPort({ kind }) {
  return FIXED.includes(kind);
}

/** Its process ends of itself: no client can tell when. @param {Slot} slot */
export function endsAlone({ kind }) {
  return kind === "always" || kind === "auto";
}

/** The body that creates the slot's container. @param {Slot} slot @param {number} base the first host port to use */
export function bodyOf(slot, base) {
  const { kind, n } = slot;
  const host = { PortBindings: {}, RestartPolicy: {} };
  const body = { Image: "busybox", Cmd: ["sh", "-c", SCRIPT], ExposedPorts: { "80/tcp": {} }, HostConfig: host };
  const bind = (HostIp, HostPort) => {
    host.PortBindings["80/tcp"] = [{ HostIp, HostPort }];
  };
  if (hasFixedPort(slot)) bind("", String(base + n));
  else if (kind === "range") bind("", `${base + 30}-${base + 45}`);
  else bind("127.0.0.1", "");
  if (kind === "always") {
    host.RestartPolicy = { Name: "always" };
    body.Cmd = ["sh", "-c", "echo begin; sleep 0.7; exit 3"];
  }
  if (kind === "auto") {
    host.AutoRemove = true;
    body.Cmd = ["sh", "-c", "echo begin; sleep 0.4; exit 5"];
  }
  if (kind === "health") body.Healthcheck = { Test: ["CMD", "true"], Interval: 1e9, Timeout: 5e9, Retries: 3 };
  if (kind === "volume") {
    body.Volumes = { "/anon": {} };
    host.Binds = [`chaos-${n}:/data`];
  }
  return body;
}

/** Images, networks and volumes by name: `true`, `false` or `MAYBE`. */
export function promisesOf() {
  return { images: new Map(), networks: new Map(), volumes: new Map() };
}
