import { join } from "node:path";
import { fold, parseLogin } from "@berth/directory-domain";
import { type ListenAddress, parseListen, type TlsFiles, tlsSettings } from "@berth/service-kit";
import type { LevelWithSilent } from "pino";
import { z } from "zod";

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

/** Comma-separated logins. */
const logins = z.string().transform((text, context) => {
  const names = text.split(",").map((name) => name.trim());
  for (const name of names) {
    const login = parseLogin(name);
    if (!login.ok) context.addIssue(`want logins with commas between them, and ${JSON.stringify(name)} ${login.error}`);
  }
  if (new Set(names.map(fold)).size < names.length) context.addIssue("names a login twice");
  return names;
});

const environment = z.object({
  BERTH_STATE: z.string().default("/var/lib/berth"),
  BERTH_RUN: z.string().default("/run/berth"),
  BERTH_SOCKET: z.string().optional(),
  /** Nothing listens on plain TCP without it. */
  BERTH_LISTEN: hostAndPort.optional(),
  BERTH_TLS_LISTEN: hostAndPort.optional(),
  BERTH_USER_SOCKETS: logins.default([]),
  BERTH_INSTANCE: z
    .string()
    .regex(
      /^[a-z][a-z0-9]{0,8}$/,
      "want at most 9 small letters and digits, a letter first: it begins the names of bridges",
    )
    .default("berth"),
  BERTH_SUBNET: z.string().default("172.29.0.0/16"),
  BERTH_CONTAINERD: z.string().optional(),
  BERTH_DIRECTORY_URL: z.url().default("http://127.0.0.1:7780"),
  BERTH_DIRECTORY_TOKEN_FILE: z.string().optional(),
  BERTH_CONTAINER_DATABASE_URL: z.string().optional(),
  DATABASE_URL: z.string().optional(),
  BERTH_LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
  /** `first-last`; the kernel's ephemeral range when unset. */
  BERTH_DYNAMIC_PORTS: z
    .string()
    .regex(/^[0-9]+-[0-9]+$/, "want first-last, such as 32768-60999")
    .optional(),
  BERTH_DEFAULT_HOST_IP: z.union([z.ipv4(), z.ipv6()]).optional(),
  BERTH_POOL: z.coerce.number().int().min(0).max(256).default(4),
  BERTH_REGISTRY_MIRROR: z.url().optional(),
  /** Comma-separated `host[:port]` that are spoken to over plain HTTP. */
  BERTH_INSECURE_REGISTRIES: z.string().default(""),
  BERTH_LAYER_LIMIT: bytes.default(2 ** 36),
  BERTH_IMAGE_LIMIT: bytes.default(2 ** 37),
  BERTH_DISK_RESERVE: bytes.default(2 ** 30),
  /** For registries that are not insecure. */
  HTTP_PROXY: z.string().optional(),
  HTTPS_PROXY: z.string().optional(),
  NO_PROXY: z.string().optional(),
});

/** Everything that the environment decides, read once. */
export interface Config {
  readonly stateDir: string;
  readonly runDir: string;
  readonly socket: string;
  readonly listen: ListenAddress | undefined;
  readonly tls: { readonly listen: ListenAddress; readonly files: TlsFiles } | undefined;
  /** Logins of those who get a socket of their own. */
  readonly userSockets: readonly string[];
  readonly instance: string;
  readonly subnet: string;
  readonly containerdSocket: string | undefined;
  readonly directoryUrl: string;
  /** Holds the token with which the service asks the directory about logins. */
  readonly directoryTokenFile: string | undefined;
  readonly databaseUrl: string | undefined;
  readonly logLevel: LevelWithSilent;
  readonly dynamicPorts: { readonly start: number; readonly end: number } | undefined;
  readonly defaultHostIp: string | undefined;
  readonly poolSize: number;
  readonly registryMirror: string | undefined;
  readonly insecureRegistries: readonly string[];
  /** Bytes. */
  readonly room: { readonly layer: number; readonly image: number; readonly reserve: number };
  readonly proxy: { readonly http?: string; readonly https?: string; readonly no?: string };
}

/** Reads the environment; throws an error that names each variable that is wrong and what it wants. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const parsed = environment.safeParse(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== "")));
  if (!parsed.success)
    throw new Error(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("\n"));
  const values = parsed.data;
  const tls = tlsOf(values.BERTH_TLS_LISTEN, tlsSettings("BERTH_TLS", env));
  if ((tls !== undefined || values.BERTH_USER_SOCKETS.length > 0) && values.BERTH_DIRECTORY_TOKEN_FILE === undefined)
    throw new Error(
      "BERTH_DIRECTORY_TOKEN_FILE: is missing: BERTH_TLS_LISTEN and BERTH_USER_SOCKETS need the file of a directory token, " +
        "of an operator and with the scope read, to ask who has a login",
    );
  const [start = 0, end = 0] = (values.BERTH_DYNAMIC_PORTS ?? "").split("-").map(Number);
  return {
    stateDir: values.BERTH_STATE,
    runDir: values.BERTH_RUN,
    socket: values.BERTH_SOCKET ?? join(values.BERTH_RUN, "berth.sock"),
    listen: values.BERTH_LISTEN,
    tls,
    userSockets: values.BERTH_USER_SOCKETS,
    instance: values.BERTH_INSTANCE,
    subnet: values.BERTH_SUBNET,
    containerdSocket: values.BERTH_CONTAINERD,
    directoryUrl: values.BERTH_DIRECTORY_URL,
    directoryTokenFile: values.BERTH_DIRECTORY_TOKEN_FILE,
    databaseUrl: values.BERTH_CONTAINER_DATABASE_URL ?? values.DATABASE_URL,
    logLevel: values.BERTH_LOG_LEVEL,
    dynamicPorts:
      values.BERTH_DYNAMIC_PORTS === undefined ? undefined : { start: port.parse(start), end: port.parse(end) },
    defaultHostIp: values.BERTH_DEFAULT_HOST_IP,
    poolSize: values.BERTH_POOL,
    registryMirror: values.BERTH_REGISTRY_MIRROR,
    proxy: {
      ...(values.HTTP_PROXY === undefined ? {} : { http: values.HTTP_PROXY }),
      ...(values.HTTPS_PROXY === undefined ? {} : { https: values.HTTPS_PROXY }),
      ...(values.NO_PROXY === undefined ? {} : { no: values.NO_PROXY }),
    },
    room: { layer: values.BERTH_LAYER_LIMIT, image: values.BERTH_IMAGE_LIMIT, reserve: values.BERTH_DISK_RESERVE },
    insecureRegistries: values.BERTH_INSECURE_REGISTRIES.split(",").filter((name) => name !== ""),
  };
}

/** All of it or nothing: without a CA nobody could show a certificate, and the listener is there for those. */
function tlsOf(listen: ListenAddress | undefined, files: TlsFiles | undefined): Config["tls"] {
  if (listen === undefined && files === undefined) return undefined;
  if (listen === undefined) throw new Error("BERTH_TLS_LISTEN: is missing: host:port, such as 0.0.0.0:2376");
  if (files === undefined)
    throw new Error("BERTH_TLS_CERT, BERTH_TLS_KEY, BERTH_TLS_CA: are missing for BERTH_TLS_LISTEN");
  if (files.ca === undefined) throw new Error("BERTH_TLS_CA: is missing: the CA that signs the clients' certificates");
  return { listen, files };
}
