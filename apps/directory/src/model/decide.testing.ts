/*
 * A model of decisions, written from docs/directory.md alone: ((baseline ∪ grants) ∩ limits) − denies. It shares no code with the product,
 * so that a misreading on one side shows as a difference.
 */

export interface PortRange {
  readonly start: number;
  readonly end: number;
  readonly protocol?: string;
}
export interface Folder {
  readonly path: string;
  readonly readOnly: boolean;
}

/** A constraint as the interface takes it, of any kind. */
export interface Rule {
  readonly kind: string;
  readonly effect: string;
  readonly expiresAt: string | null;
  readonly ports?: readonly PortRange[];
  readonly addresses?: readonly string[];
  readonly patterns?: readonly string[];
  readonly folders?: readonly Folder[];
  readonly privileges?: readonly string[];
  readonly resource?: string;
  readonly max?: number;
}
export interface PortWish {
  readonly hostIp: string;
  readonly hostPort: "dynamic" | { readonly start: number; readonly end: number };
  readonly protocol: string;
}
export interface ImageWish {
  readonly references: readonly string[];
  readonly aliases: readonly string[];
}
export interface Wish {
  ports?: readonly PortWish[];
  images?: readonly ImageWish[];
  mounts?: readonly Folder[];
  privileges?: readonly string[];
  quantities?: Readonly<Record<string, number | "unlimited">>;
  readonly used: Readonly<Record<string, number>>;
  /** By the id of a shared quota, what all its members use; none where it is left out. */
  sharedUse?: Readonly<Record<string, number>>;
}
export interface Baseline {
  readonly hostPorts: readonly PortRange[];
  readonly hostInterfaces: readonly string[];
  readonly images: readonly string[];
  readonly mounts: readonly Folder[];
  readonly privileges: readonly string[];
  readonly quotas: Readonly<Record<string, number>>;
}
export interface Expected {
  readonly isAllowed: boolean;
  /** `KIND:true` or `KIND:false` for every item. */
  readonly checks: readonly string[];
  readonly portChoices: readonly (readonly { readonly start: number; readonly end: number }[])[];
}

type Block = readonly [low: bigint, high: bigint];

function addressOf(text: string): bigint {
  if (/^::ffff:.*\./.test(text)) return addressOf(text.slice(7));
  if (text.includes("."))
    return 0xffff_0000_0000n + text.split(".").reduce((sum, octet) => sum * 256n + BigInt(octet), 0n);
  const [head = "", tail] = text.split("::");
  const high = head === "" ? [] : head.split(":");
  const low = tail === undefined || tail === "" ? [] : tail.split(":");
  const groups =
    tail === undefined ? high : [...high, ...Array<string>(8 - high.length - low.length).fill("0"), ...low];
  return groups.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

function blockOf(text: string): Block {
  if (text === "*") return [0n, (1n << 128n) - 1n];
  const [ip = "", length] = text.split("/");
  const width = ip.includes(":") ? 128 : 32;
  const bits = BigInt(width - Number(length ?? width));
  const low = (addressOf(ip) >> bits) << bits;
  return [low, low + (1n << bits) - 1n];
}

/** What a binding listens on: without an address on every interface of both families. */
function listened(hostIp: string): Block {
  if (hostIp === "" || hostIp === "::") return blockOf("*");
  return blockOf(hostIp === "0.0.0.0" ? "0.0.0.0/0" : hostIp);
}

function coversBlock(values: readonly string[], [low, high]: Block): boolean {
  let at = low;
  for (const [first, last] of values.map(blockOf).sort(([a], [b]) => (a < b ? -1 : 1)))
    if (first <= at && last >= at) at = last + 1n;
  return at > high;
}

function isBelow(path: string, top: string): boolean {
  return top === "/" || path === top || path.startsWith(`${top}/`);
}

/** What short patterns mean, told apart by hand. */
const SHORT: Readonly<Record<string, string>> = {
  nginx: "docker.io/library/nginx",
  "nginx*": "docker.io/library/nginx*",
  "acme/*": "docker.io/acme/*",
};

function matches(pattern: string, name: string): boolean {
  const full = SHORT[pattern] ?? pattern;
  // Without tag and digest it stands for all of them.
  const tail = /[:@][^/]*$|\*$/.test(full) ? "" : "(?:[:@][^/]*)?";
  const source = full
    .split("*")
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  return new RegExp(`^${source}${tail}$`, "s").test(name);
}

const CAPABILITY = /^capability:/;

/** How the items of a kind lie within values, and when they touch one. */
interface Space<Item, Value> {
  readonly kind: string;
  readonly items: (wish: Wish) => readonly Item[];
  readonly baseline: (baseline: Baseline) => readonly Value[];
  readonly values: (rule: Rule) => readonly Value[];
  /** Whether an item passes grants, baseline among them, and every limit. */
  readonly passes: (item: Item, within: readonly (readonly Value[])[]) => boolean;
  readonly touches: (item: Item, values: readonly Value[]) => boolean;
}

function everyWhere<Item, Value>(isInside: (item: Item, values: readonly Value[]) => boolean) {
  return (item: Item, within: readonly (readonly Value[])[]) => within.every((values) => isInside(item, values));
}

const INTERFACES: Space<string, string> = {
  kind: "host-interfaces",
  items: ({ ports = [] }) => [...new Set(ports.map(({ hostIp }) => hostIp))],
  baseline: ({ hostInterfaces }) => hostInterfaces,
  values: ({ addresses = [] }) => addresses,
  passes: everyWhere((ip, values) => coversBlock(values, listened(ip))),
  touches: (ip, values) =>
    values.some((value) => blockOf(value)[0] <= listened(ip)[1] && listened(ip)[0] <= blockOf(value)[1]),
};
const IMAGES: Space<ImageWish, string> = {
  kind: "images",
  items: ({ images = [] }) => images,
  baseline: ({ images }) => images,
  values: ({ patterns = [] }) => patterns,
  // One name passes all of them, not each by another name.
  passes: ({ references }, within) =>
    references.some((name) => within.every((values) => values.some((value) => matches(value, name)))),
  touches: ({ references, aliases }, values) =>
    [...references, ...aliases].some((name) => values.some((value) => matches(value, name))),
};
const MOUNTS: Space<Folder, Folder> = {
  kind: "mounts",
  items: ({ mounts = [] }) => mounts,
  baseline: ({ mounts }) => mounts,
  values: ({ folders = [] }) => folders,
  passes: everyWhere((mount, values) =>
    values.some(({ path, readOnly }) => isBelow(mount.path, path) && (mount.readOnly || !readOnly)),
  ),
  touches: (mount, values) => values.some(({ path }) => isBelow(mount.path, path) || isBelow(path, mount.path)),
};
const PRIVILEGES: Space<string, string> = {
  kind: "privileges",
  items: ({ privileges = [] }) => privileges,
  baseline: ({ privileges }) => privileges,
  values: ({ privileges = [] }) => privileges,
  passes: everyWhere(
    (one, values) => values.includes(one) || (CAPABILITY.test(one) && values.includes("capability:ALL")),
  ),
  touches: (one, values) =>
    values.some(
      (value) =>
        value === one ||
        (CAPABILITY.test(one) && CAPABILITY.test(value) && [one, value].some((each) => each === "capability:ALL")),
    ),
};

const RESOURCES = ["containers", "published-ports", "memory", "cpu", "pids"];

/** What has to come out for a user with these constraints. */
export function decideByModel(
  user: { readonly role: string; readonly active: boolean },
  held: readonly (Rule & { readonly id: number })[],
  baseline: Baseline,
  wish: Wish,
): Expected {
  const isFree = user.role === "admin" && user.active;
  const checks: [kind: string, isOk: boolean][] = [["subject", user.active]];
  const portChoices = (wish.ports ?? []).map((port) => {
    const permitted = permittedPorts(port.protocol, held, baseline);
    checks.push(["host-ports", choicesOf(port, permitted, "permitted").length > 0]);
    return choicesOf(port, permitted, isFree ? "all" : "permitted");
  });
  function check<Item, Value>(space: Space<Item, Value>): void {
    const of = (effect: string) =>
      held.filter((rule) => rule.kind === space.kind && rule.effect === effect).map(space.values);
    const granted = [...space.baseline(baseline), ...of("grant").flat()];
    for (const item of space.items(wish)) {
      const isTouched = of("deny").some((values) => space.touches(item, values));
      checks.push([space.kind, space.passes(item, [granted, ...of("limit")]) && !isTouched]);
    }
  }
  check(INTERFACES);
  check(IMAGES);
  check(MOUNTS);
  check(PRIVILEGES);
  for (const resource of RESOURCES) {
    const wanted = wish.quantities?.[resource];
    if (wanted === undefined) continue;
    const of = (effect: string) =>
      held
        .filter((rule) => rule.kind === "quota" && rule.effect === effect && rule.resource === resource)
        .map(({ max = 0 }) => max);
    const most = Math.min(Math.max(baseline.quotas[resource] ?? Infinity, ...of("grant")), ...of("limit"));
    checks.push([
      "quota",
      most === Infinity || (wanted !== "unlimited" && (wish.used[resource] ?? 0) + wanted <= most),
    ]);
    const shared = held.filter((rule) => rule.kind === "shared-quota" && rule.resource === resource);
    const fits = ({ id, max = 0 }: (typeof held)[number]) =>
      wanted !== "unlimited" && (wish.sharedUse?.[id] ?? 0) + wanted <= max;
    if (shared.length > 0) checks.push(["shared-quota", shared.every(fits)]);
  }
  return {
    isAllowed: isFree || checks.every(([, isOk]) => isOk),
    checks: checks.map(([kind, isOk]) => `${kind}:${isOk}`).sort(),
    portChoices,
  };
}

const PORTS_END = 65_536;

/** By port number, whether it is permitted. */
function permittedPorts(protocol: string, held: readonly Rule[], baseline: Baseline): Uint8Array {
  const of = (effect: string) =>
    held.filter((rule) => rule.kind === "host-ports" && rule.effect === effect).map(({ ports = [] }) => ports);
  function fill(ports: Uint8Array, ranges: readonly PortRange[], value: 0 | 1): Uint8Array {
    for (const range of ranges)
      if (range.protocol === undefined || range.protocol === protocol) ports.fill(value, range.start, range.end + 1);
    return ports;
  }
  const ports = fill(new Uint8Array(PORTS_END), [...baseline.hostPorts, ...of("grant").flat()], 1);
  for (const limit of of("limit")) {
    const within = fill(new Uint8Array(PORTS_END), limit, 1);
    ports.forEach((isPermitted, port) => {
      ports[port] = isPermitted === 1 && within[port] === 1 ? 1 : 0;
    });
  }
  return fill(ports, of("deny").flat(), 0);
}

function choicesOf({ hostPort }: PortWish, permitted: Uint8Array, which: "all" | "permitted") {
  const { start, end } = hostPort === "dynamic" ? { start: 1, end: PORTS_END - 1 } : hostPort;
  const choices: { start: number; end: number }[] = [];
  for (let port = start; port <= end; port++) {
    if (which === "permitted" && permitted[port] !== 1) continue;
    const last = choices.at(-1);
    if (last?.end === port - 1) last.end = port;
    else choices.push({ start: port, end: port });
  }
  return choices;
}
