import { join } from "node:path";
import { fold, parseLogin } from "@berth/directory-domain";
import { type Cidr, cidrOverlaps, parseCidr } from "@berth/port-spec";
import {
  InvalidSettings,
  type ListenAddress,
  parseListen,
  privateDatabaseUrl,
  SETTING_FORMS,
  type SettingForm,
  type TlsFiles,
  tlsSettings,
  wholeNumber,
} from "@berth/service-kit";
import type { Level } from "pino";
import { z } from "zod";
import type { BuildKitAddress } from "./builds/buildkit/dial.ts";
import type { LogRotation } from "./containers/records/log-options.ts";
import { parseSubnet } from "./networks/addresses/inet.ts";
import { isNetworkable } from "./networks/addresses/pools.ts";
import { faultsBetween } from "./settings-together.ts";

const port = z.coerce.number().int().min(1).max(65535);

/** `host:port` with a port from 1: clients must know it, so the kernel cannot choose one. */
const hostAndPort = z.string().transform((text, context) => {
  const address = parseListen(text);
  if (address !== undefined && address.port > 0) return address;
  context.addIssue("want host:port, such as 127.0.0.1:2375");
  return z.NEVER;
});

/** A number of bytes, `k`, `m`, `g` or `t` behind it for so many times 1024. */
const bytes = z.string().transform((text, context) => {
  const [, digits = "", unit = ""] = /^([0-9]{1,15})([kmgt]?)$/i.exec(text) ?? [];
  const value = Number(digits) * 1024 ** ["", "k", "m", "g", "t"].indexOf(unit.toLowerCase());
  if (digits !== "" && Number.isSafeInteger(value)) return value;
  context.addIssue("want a number of bytes, such as 1073741824 or 1g");
  return z.NEVER;
});

/** A login that can name a socket: a system account has it too, and neither a path nor an option is one. */
const SOCKET_LOGIN = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}._@+-]*[\p{L}\p{M}\p{N}])?$/u;

/** Comma-separated logins. */
const logins = z.string().transform((text, context) => {
  const names = text.split(",").map((name) => name.trim());
  for (const name of names) {
    const login = parseLogin(name);
    const fault = login.ok
      ? "may hold letters, digits and . _ - @ + only, letters or digits at both ends"
      : login.error;
    if (!login.ok || !SOCKET_LOGIN.test(name))
      context.addIssue(`want logins with commas between them, and ${JSON.stringify(name)} ${fault}`);
  }
  if (new Set(names.map(fold)).size < names.length) context.addIssue("names a login twice");
  return names;
});

/** `first-last`. */
const portRange = z.string().transform((text, context) => {
  const [start, end] = text.split("-").map((digits) => port.safeParse(digits).data);
  if (/^[0-9]+-[0-9]+$/.test(text) && start !== undefined && end !== undefined && start <= end) return { start, end };
  context.addIssue("want first-last, such as 32768-60999");
  return z.NEVER;
});

/** Where no network of containers can be: this host, loopback, link-local addresses, multicast and what is reserved. */
const NO_SUBNETS = ["0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/3"].flatMap(
  (text) => parseCidr(text) ?? [],
);

/** Leaves room for a gateway and a few containers. */
const subnet = z.string().refine((text) => {
  const block = parseSubnet(text, "ipv4");
  const isLarge = block !== undefined && block.prefixLength >= 8 && block.prefixLength <= 29;
  return isLarge && !NO_SUBNETS.some((reserved) => cidrOverlaps(reserved, block));
}, "want an IPv4 network of at least 8 addresses, such as 172.29.0.0/16");

function formed({ matches, wanted }: SettingForm) {
  return z.string().refine(matches, wanted);
}

function whole(least: number, most: number) {
  return formed(wholeNumber(least, most)).transform(Number);
}

const absolutePath = formed(SETTING_FORMS.absolutePath);
const folder = formed(SETTING_FORMS.folder);
const origin = formed(SETTING_FORMS.origin);
const proxyUrl = formed(SETTING_FORMS.proxyUrl);
const httpUrl = formed(SETTING_FORMS.httpUrl);
const dockerAddress = formed(SETTING_FORMS.dockerAddress);
const postgresUrl = formed(SETTING_FORMS.postgresUrl);

/** Comma-separated `host[:port]` and CIDR blocks. */
const registries = z.string().transform((text, context) => {
  const names = text.split(",").map((name) => name.trim());
  const wrong = names.filter(
    (name) => (parseListen(name) ?? parseListen(`${name}:443`)) === undefined && !parseCidr(name),
  );
  if (wrong.length > 0)
    context.addIssue(
      `want host[:port] or CIDR blocks with commas between them, and ${JSON.stringify(wrong[0])} is neither`,
    );
  return names;
});

/** `auto` for one of the host's own prefix. */
const subnet6 = z.string().transform((text, context) => {
  if (text === "auto") return text;
  const block = parseSubnet(text, "ipv6");
  if (block !== undefined && isNetworkable(block) && block.prefixLength <= 125) return block;
  context.addIssue("want auto, or an IPv6 network of at least 8 unicast addresses, such as fd00:29::/64");
  return z.NEVER;
});

/**
 * Names that others give to bridges (`NAME0`), nftables tables, containerd namespaces and control groups: what has them is not Berth's to
 * change or remove.
 */
const OTHERS_NAMES = new Set(
  `lo eth wlan br virbr docker podman cni lxcbr lxdbr incusbr kube dummy bond team tun tap veth wg
   filter nat mangle raw security route broute firewalld default moby buildkit nerdctl init system user machine`.split(
    /\s+/,
  ),
);

const BUILDKIT_SOCKET = /^unix:\/\/(\/[^\s{}]*(?:\{login\}[^\s{}]*)?)$/;
const BUILDKIT_PORT = /^tcp:\/\/(127(?:\.\d{1,3}){3}|\[::1\]|localhost):(\d{1,5})$/;

/** BuildKit takes images from a door on loopback, so it is on this host. */
const buildKit = z.string().transform((text, context): BuildKitAddress => {
  const [, path] = BUILDKIT_SOCKET.exec(text) ?? [];
  if (path !== undefined) return { kind: "socket", path };
  const [, host = "", port = ""] = BUILDKIT_PORT.exec(text) ?? [];
  if (Number(port) > 0 && Number(port) < 65_536)
    return { kind: "tcp", host: host.replaceAll(/[[\]]/g, ""), port: Number(port) };
  context.addIssue(
    "want the socket of a Docker engine or of a buildkitd, such as unix:///run/docker.sock or unix:///run/buildkit/{login}.sock, or a buildkitd's port of loopback, such as tcp://127.0.0.1:1234",
  );
  return z.NEVER;
});

const environment = z.object({
  BERTH_STATE: folder.default("/var/lib/berth"),
  BERTH_RUN: folder.default("/run/berth"),
  BERTH_SOCKET: absolutePath.optional(),
  /** Nothing listens on plain TCP without it. */
  BERTH_LISTEN: hostAndPort.optional(),
  BERTH_TLS_LISTEN: hostAndPort.optional(),
  BERTH_METRICS_LISTEN: hostAndPort.optional(),
  BERTH_USER_SOCKETS: logins.default([]),
  BERTH_INSTANCE: z
    .string()
    .regex(
      /^[a-z][a-z0-9]{0,8}$/,
      "want at most 9 small letters and digits, a letter first: it begins the names of bridges",
    )
    .refine(
      (name) => !OTHERS_NAMES.has(name),
      "want a name that no other program uses for its bridges, tables or namespaces",
    )
    .default("berth"),
  BERTH_SUBNET: subnet.default("172.29.0.0/16"),
  BERTH_SUBNET6: subnet6.optional(),
  BERTH_CONTAINERD: absolutePath.optional(),
  /** Percent. */
  BERTH_CONTAINERD_PATIENCE: whole(1, 10_000).default(100),
  BERTH_DIRECTORY_URL: origin.default("http://127.0.0.1:7780"),
  BERTH_DIRECTORY_TOKEN_FILE: absolutePath.optional(),
  BERTH_CONTAINER_DATABASE_URL: postgresUrl.optional(),
  DATABASE_URL: postgresUrl.optional(),
  BERTH_FLEET_ADDRESS: dockerAddress.optional(),
  BERTH_PLACES_ONLY: z.enum(["true", "false"], "want true or false").default("false"),
  BERTH_LOG_LEVEL: z.enum(["debug", "info", "warn", "error"], "want debug, info, warn or error").default("info"),
  /** `first-last`; the kernel's ephemeral range when unset. */
  BERTH_DYNAMIC_PORTS: portRange.optional(),
  BERTH_DEFAULT_HOST_IP: z.union([z.ipv4(), z.ipv6()], "want an IP address, such as 127.0.0.1").optional(),
  BERTH_POOL: whole(0, 256).default(4),
  BERTH_REGISTRY_MIRROR: httpUrl.optional(),
  /** They are spoken to over plain HTTP. */
  BERTH_INSECURE_REGISTRIES: registries.default([]),
  BERTH_LAYER_LIMIT: bytes.default(2 ** 36),
  BERTH_IMAGE_LIMIT: bytes.default(2 ** 37),
  BERTH_BUILDS: whole(1, 64).default(2),
  /** Seconds. */
  BERTH_BUILD_TIMEOUT: whole(1, 604_800).default(3600),
  BERTH_BUILDKIT: buildKit.optional(),
  BERTH_DISK_RESERVE: bytes.default(2 ** 30),
  /** The rotation of users' logs that ask for none; 0 for no rotation. */
  BERTH_LOG_MAX_SIZE: bytes.default(10 * 2 ** 20),
  BERTH_LOG_MAX_FILES: whole(1, 1000).default(3),
  /** For registries that are not insecure. */
  HTTP_PROXY: proxyUrl.optional(),
  HTTPS_PROXY: proxyUrl.optional(),
  NO_PROXY: z.string().optional(),
  /** What `openTraces` reads, checked with the others. */
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
});

/** Everything that the environment decides, read once. */
export interface Config {
  readonly stateDir: string;
  readonly runDir: string;
  readonly socket: string;
  readonly listen: ListenAddress | undefined;
  /** Where the metrics are; nowhere if undefined. */
  readonly metrics: ListenAddress | undefined;
  readonly tls: { readonly listen: ListenAddress; readonly files: TlsFiles } | undefined;
  /** Logins of those who get a socket of their own. */
  readonly userSockets: readonly string[];
  readonly instance: string;
  readonly subnet: string;
  /** The default network's IPv6 subnet; undefined where it has IPv4 alone. */
  readonly subnet6: "auto" | Cidr | undefined;
  readonly containerdSocket: string | undefined;
  /** How long containerd, shims and runc may take, in percent of the usual limits. */
  readonly patiencePercent: number;
  readonly directoryUrl: string;
  /** Holds the token with which the service asks the directory about users. The default one may be absent, or appear later. */
  readonly directoryToken: { readonly file: string; readonly isRequired: boolean };
  /** Postgres: the one in the run folder where no other is named. */
  readonly databaseUrl: string;
  /** Where Docker clients reach this host as one of the directory's fleet; undefined where it is none. */
  readonly fleetAddress: string | undefined;
  /** What users may do who name no place: work outside of places, or in their only one. */
  readonly unnamedPlace: "outside" | "only-place";
  readonly logLevel: Level;
  readonly dynamicPorts: { readonly start: number; readonly end: number } | undefined;
  readonly defaultHostIp: string | undefined;
  readonly poolSize: number;
  readonly registryMirror: string | undefined;
  readonly insecureRegistries: readonly string[];
  /** Bytes. */
  readonly quota: { readonly layer: number; readonly image: number; readonly reserve: number };
  readonly userLogs: LogRotation;
  /** How many builds run at the same time, and how long one may take. */
  readonly builds: { readonly running: number; readonly timeoutMs: number };
  /** The BuildKit that builds, with `{login}` in a socket's path for one of each user's; undefined for none. */
  readonly buildKit: BuildKitAddress | undefined;
  readonly proxy: { readonly http?: string; readonly https?: string; readonly no?: string };
}

/** Reads the environment; throws InvalidSettings, which names each variable that is wrong and what it wants. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const parsed = environment.safeParse(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== "")));
  const faults = [
    ...(parsed.error?.issues ?? []).map((issue) => `${issue.path.join(".")}: ${issue.message}`),
    ...faultsBetween(env),
  ];
  if (!parsed.success || faults.length > 0) throw new InvalidSettings(faults);
  const values = parsed.data;
  const files = tlsSettings("BERTH_TLS", env);
  return {
    stateDir: values.BERTH_STATE,
    runDir: values.BERTH_RUN,
    socket: values.BERTH_SOCKET ?? join(values.BERTH_RUN, "berth.sock"),
    listen: values.BERTH_LISTEN,
    metrics: values.BERTH_METRICS_LISTEN,
    tls: values.BERTH_TLS_LISTEN && files && { listen: values.BERTH_TLS_LISTEN, files },
    userSockets: values.BERTH_USER_SOCKETS,
    instance: values.BERTH_INSTANCE,
    subnet: values.BERTH_SUBNET,
    subnet6: values.BERTH_SUBNET6,
    containerdSocket: values.BERTH_CONTAINERD,
    patiencePercent: values.BERTH_CONTAINERD_PATIENCE,
    directoryUrl: values.BERTH_DIRECTORY_URL,
    directoryToken: {
      file: values.BERTH_DIRECTORY_TOKEN_FILE ?? join(values.BERTH_STATE, "directory-token"),
      isRequired: values.BERTH_DIRECTORY_TOKEN_FILE !== undefined,
    },
    databaseUrl: values.BERTH_CONTAINER_DATABASE_URL ?? values.DATABASE_URL ?? privateDatabaseUrl(values.BERTH_RUN),
    fleetAddress: values.BERTH_FLEET_ADDRESS,
    unnamedPlace: values.BERTH_PLACES_ONLY === "true" ? "only-place" : "outside",
    logLevel: values.BERTH_LOG_LEVEL,
    dynamicPorts: values.BERTH_DYNAMIC_PORTS,
    defaultHostIp: values.BERTH_DEFAULT_HOST_IP,
    poolSize: values.BERTH_POOL,
    registryMirror: values.BERTH_REGISTRY_MIRROR,
    proxy: {
      ...(values.HTTP_PROXY === undefined ? {} : { http: values.HTTP_PROXY }),
      ...(values.HTTPS_PROXY === undefined ? {} : { https: values.HTTPS_PROXY }),
      ...(values.NO_PROXY === undefined ? {} : { no: values.NO_PROXY }),
    },
    builds: { running: values.BERTH_BUILDS, timeoutMs: values.BERTH_BUILD_TIMEOUT * 1000 },
    buildKit: values.BERTH_BUILDKIT,
    quota: { layer: values.BERTH_LAYER_LIMIT, image: values.BERTH_IMAGE_LIMIT, reserve: values.BERTH_DISK_RESERVE },
    userLogs: { maxBytes: values.BERTH_LOG_MAX_SIZE, maxFiles: values.BERTH_LOG_MAX_FILES },
    insecureRegistries: values.BERTH_INSECURE_REGISTRIES,
  };
}
