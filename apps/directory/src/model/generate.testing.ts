import type { PortRange, Rule, Wish } from "./decide.testing.ts";
import type { Random } from "./random.testing.ts";

const PORTS = [1, 22, 80, 443, 1023, 1024, 8000, 8050, 8099, 8100, 9000, 30_000, 49_152, 65_534, 65_535] as const;
const PROTOCOLS = ["tcp", "udp", "sctp"] as const;
const IPS = [
  ...(["", "0.0.0.0", "127.0.0.1", "10.0.0.5", "10.1.2.3"] as const),
  ...(["192.168.1.1", "::", "::1", "fd00::1", "2001:db8::5"] as const),
] as const;
const BLOCKS = [
  ...(["*", "127.0.0.1", "127.0.0.0/8", "10.0.0.0/8", "10.0.0.5", "0.0.0.0/0"] as const),
  ...(["::/0", "::1", "fd00::/8", "10.0.0.0/9", "10.128.0.0/9", "::ffff:10.0.0.5"] as const),
] as const;
const IMAGES = [
  "docker.io/library/nginx:latest",
  "docker.io/library/nginx:1.27",
  "docker.io/library/nginxy:1",
  "docker.io/acme/app:2",
  "ghcr.io/acme/app:2",
  "quay.io/x.y/z:1",
  `docker.io/library/alpine@sha256:${"a".repeat(64)}`,
] as const;
const PATTERNS = [
  ...(["*", "docker.io/*", "docker.io/library/*", "*/acme/*", "*:latest", "ghcr.io/*:2", "quay.io/x.y/z:1"] as const),
  ...(["*nginx*", "*@sha256:*", "nginx", "nginx*", "acme/*", "docker.io/library/alpine", "quay.io/x.y/z"] as const),
] as const;
const PATHS = [
  ...(["/", "/srv", "/srv/data", "/srv/data/a", "/srvx", "/home/ann"] as const),
  ...(["/var/run", "/var/run/docker.sock", "/etc"] as const),
] as const;
const PRIVILEGES = [
  ...(["privileged", "host-network", "host-pid", "devices", "sysctls"] as const),
  ...(["capability:NET_ADMIN", "capability:SYS_TIME", "capability:ALL"] as const),
] as const;
const RESOURCES = ["containers", "published-ports", "memory", "cpu", "pids"] as const;

/** How long a rule that ends soon holds. */
const SOON_MS = 1_500;
const LATER_MS = 3_600_000;

function rangeOf(random: Random): { start: number; end: number } {
  const [one, other] = [random.pick(PORTS), random.pick(PORTS)];
  return { start: Math.min(one, other), end: Math.max(one, other) };
}

function portsOf(random: Random): PortRange[] {
  return random
    .some([0], 3)
    .map(() => ({ ...rangeOf(random), ...(random.oneIn(2) ? { protocol: random.pick(PROTOCOLS) } : {}) }));
}

const VALUES: Readonly<Record<string, (random: Random) => Partial<Rule>>> = {
  "host-ports": (random) => ({ ports: portsOf(random) }),
  "host-interfaces": (random) => ({ addresses: random.some(BLOCKS, 3) }),
  images: (random) => ({ patterns: random.some(PATTERNS, 3) }),
  mounts: (random) => ({ folders: random.some(PATHS, 3).map((path) => ({ path, readOnly: random.oneIn(2) })) }),
  privileges: (random) => ({ privileges: random.some(PRIVILEGES, 3) }),
  quota: (random) => ({ resource: random.pick(RESOURCES), max: random.below(12) }),
  "shared-quota": (random) => ({ resource: random.pick(RESOURCES), max: random.below(12) }),
};

const EFFECTS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  quota: ["grant", "limit"],
  "shared-quota": ["limit"],
};

/** A constraint of any kind. One in eight ends within seconds. */
export function someRule(random: Random): Rule {
  const kind = random.pick(Object.keys(VALUES) as [string, ...string[]]);
  const effect = random.pick(EFFECTS[kind] ?? ["grant", "grant", "limit", "limit", "deny"]);
  const life = random.below(8);
  const expiresAt = life > 1 ? null : new Date(Date.now() + (life === 1 ? LATER_MS : SOON_MS)).toISOString();
  return { kind, effect, ...VALUES[kind]?.(random), expiresAt };
}

function somePort(random: Random) {
  const port = random.pick(PORTS);
  const range = random.oneIn(2) ? rangeOf(random) : { start: port, end: port };
  return {
    hostIp: random.oneIn(3) ? random.pick(IPS) : "",
    hostPort: random.oneIn(3) ? ("dynamic" as const) : range,
    protocol: random.pick(PROTOCOLS),
  };
}

/**
 * What a container might ask for: some of the parts, images of two names among them.
 * @param sharedQuotas the ids of those that hold
 */
export function someWish(random: Random, sharedQuotas: readonly number[]): Wish {
  const wish: Wish = { used: amountsOf(random, () => random.below(8)) };
  const has = () => random.below(5) <= 1;
  if (has()) wish.ports = random.some([0], 2).map(() => somePort(random));
  if (has())
    wish.images = random.some([0], 1).map(() => ({
      references: random.oneIn(2) ? [random.pick(IMAGES), random.pick(IMAGES)] : [random.pick(IMAGES)],
      aliases: random.oneIn(3) ? [random.pick(IMAGES)] : [],
    }));
  if (has()) wish.mounts = random.some(PATHS, 2).map((path) => ({ path, readOnly: random.oneIn(2) }));
  if (has()) wish.privileges = [...new Set(random.some(PRIVILEGES, 2))];
  if (has()) wish.quantities = amountsOf(random, () => (random.oneIn(5) ? "unlimited" : random.below(4)));
  const counted = sharedQuotas.filter(() => random.oneIn(2));
  if (counted.length > 0) wish.sharedUse = Object.fromEntries(counted.map((id) => [id, random.below(12)]));
  return wish;
}

function amountsOf<Amount>(random: Random, amount: () => Amount): Record<string, Amount> {
  return Object.fromEntries(random.some(RESOURCES, 2).map((resource) => [resource, amount()]));
}
