import { join } from "node:path";
import { z } from "zod";

const port = z.coerce.number().int().min(1).max(65535);

const environment = z.object({
  BERTH_STATE: z.string().default("/var/lib/berth"),
  BERTH_RUN: z.string().default("/run/berth"),
  BERTH_SOCKET: z.string().optional(),
  /** `host:port`; nothing listens on TCP without it. */
  BERTH_LISTEN: z
    .string()
    .regex(/^(\[[0-9a-fA-F:]+\]|[^:]+):[0-9]+$/, "want host:port, such as 127.0.0.1:2375")
    .optional(),
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
  readonly listen: { readonly host: string; readonly port: number } | undefined;
  readonly instance: string;
  readonly subnet: string;
  readonly containerdSocket: string | undefined;
  readonly directoryUrl: string;
  readonly databaseUrl: string | undefined;
  readonly logLevel: string;
  readonly dynamicPorts: { readonly start: number; readonly end: number } | undefined;
  readonly defaultHostIp: string | undefined;
  readonly poolSize: number;
  readonly registryMirror: string | undefined;
  readonly insecureRegistries: readonly string[];
  readonly proxy: { readonly http?: string; readonly https?: string; readonly no?: string };
}

/** Reads the environment; throws an error that names each variable that is wrong and what it wants. */
export const readConfig = (env: Readonly<Record<string, string | undefined>>): Config => {
  const parsed = environment.safeParse(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== "")));
  if (!parsed.success)
    throw new Error(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("\n"));
  const values = parsed.data;
  const [, host = "", digits = ""] = /^(.*):([0-9]+)$/.exec(values.BERTH_LISTEN ?? "") ?? [];
  const [start = 0, end = 0] = (values.BERTH_DYNAMIC_PORTS ?? "").split("-").map(Number);
  return {
    stateDir: values.BERTH_STATE,
    runDir: values.BERTH_RUN,
    socket: values.BERTH_SOCKET ?? join(values.BERTH_RUN, "berth.sock"),
    listen:
      values.BERTH_LISTEN === undefined ? undefined : { host: host.replace(/^\[|\]$/g, ""), port: port.parse(digits) },
    instance: values.BERTH_INSTANCE,
    subnet: values.BERTH_SUBNET,
    containerdSocket: values.BERTH_CONTAINERD,
    directoryUrl: values.BERTH_DIRECTORY_URL,
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
    insecureRegistries: values.BERTH_INSECURE_REGISTRIES.split(",").filter((name) => name !== ""),
  };
};
