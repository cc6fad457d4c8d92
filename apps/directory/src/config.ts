import { availableParallelism } from "node:os";
import { join } from "node:path";
import { BASELINES, type BaselineName } from "@berth/directory-domain";
import {
  InvalidSettings,
  type ListenAddress,
  parseListen,
  privateDatabaseUrl,
  SETTING_FORMS,
  type SettingForm,
  settingFaults,
  type TlsFiles,
  tlsSettings,
  wholeNumber,
} from "@berth/service-kit";
import { z } from "zod";
import { SECOND_FACTOR_RULES, type SecondFactorRule } from "./accounts/deps.ts";
import { KUBERNETES_ENVIRONMENT, type KubernetesConfig, kubernetesConfig } from "./config-kubernetes.ts";
import { SSO_ENVIRONMENT, type SsoConfig, ssoConfig, ssoFaults } from "./config-sso.ts";
import { OWASP_COST } from "./passwords/hasher.ts";
import { DEFAULT_MIN_LENGTH } from "./passwords/rules.ts";

const listenAddress = z.string().transform((text, context) => {
  const address = parseListen(text);
  if (address !== undefined) return address;
  context.addIssue(`want host:port, such as 127.0.0.1:7780, not ${JSON.stringify(text)}`);
  return z.NEVER;
});

/** Comma-separated host names, without ports. */
const hostNames = z.string().transform((text, context) => {
  const names = text.split(",").map((name) => name.trim().toLowerCase());
  const wrong = names.filter((name) => parseListen(`${name}:443`)?.host !== name || name.length > 253);
  if (wrong.length > 0) context.addIssue(`want host names separated by commas; ${JSON.stringify(wrong[0])} is not one`);
  return names;
});

const publicUrl = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` && url.port !== "0")
    return url.origin;
  context.addIssue(
    `want http:// or https:// and a host, such as https://directory.example.com, not ${JSON.stringify(text)}`,
  );
  return z.NEVER;
});

function formed({ matches, wanted }: SettingForm) {
  return z.string().refine(matches, wanted);
}

function whole(least: number, most: number) {
  return formed(wholeNumber(least, most)).transform(Number);
}

const absolutePath = formed(SETTING_FORMS.absolutePath);
const folder = formed(SETTING_FORMS.folder);
const postgresUrl = formed(SETTING_FORMS.postgresUrl);

const environment = z.object({
  BERTH_DIRECTORY_PUBLIC_URL: publicUrl.optional(),
  BERTH_DIRECTORY_LISTEN: listenAddress.default({ host: "127.0.0.1", port: 7780 }),
  BERTH_DIRECTORY_METRICS_LISTEN: listenAddress.optional(),
  BERTH_DIRECTORY_HOSTS: hostNames.default([]),
  BERTH_STATE: folder.default("/var/lib/berth"),
  BERTH_RUN: folder.default("/run/berth"),
  BERTH_SERVICES: z.string().optional(),
  BERTH_DIRECTORY_TOKEN_FILE: absolutePath.optional(),
  BERTH_DIRECTORY_DATABASE_URL: postgresUrl.optional(),
  DATABASE_URL: postgresUrl.optional(),
  BERTH_DIRECTORY_CONNECTIONS: whole(2, 100).default(4),
  BERTH_POLICY_DEFAULT: z
    .enum(Object.keys(BASELINES) as [BaselineName, ...BaselineName[]], `want ${Object.keys(BASELINES).join(", ")}`)
    .default("safe"),
  BERTH_PASS_MIN_LENGTH: whole(8, 128).default(DEFAULT_MIN_LENGTH),
  BERTH_SECOND_FACTOR: z.enum(SECOND_FACTOR_RULES, `want ${SECOND_FACTOR_RULES.join(", ")}`).default("optional"),
  BERTH_SECOND_FACTOR_KEY_FILE: absolutePath.optional(),
  BERTH_REQUIRE_IF_MATCH: z.enum(["true", "false"], "want true or false").default("false"),
  BERTH_ARGON2_MEMORY_KIB: whole(8_192, 4_194_304).default(OWASP_COST.memory),
  BERTH_ARGON2_PASSES: whole(1, 100).default(OWASP_COST.passes),
  BERTH_AUDIT_DAYS: whole(1, 36_500).default(365),
  ...SSO_ENVIRONMENT,
  /** What `openTraces` reads, checked with the others. */
  OTEL_EXPORTER_OTLP_ENDPOINT: formed(SETTING_FORMS.httpUrl).optional(),
  ...KUBERNETES_ENVIRONMENT,
  BERTH_LOG_LEVEL: z.enum(["debug", "info", "warn", "error"], "want debug, info, warn or error").default("info"),
});

export interface Config {
  readonly listen: ListenAddress;
  /** Where the metrics are; nowhere if undefined. */
  readonly metrics: ListenAddress | undefined;
  /** The origin that clients reach the directory by, where that is a proxy's. */
  readonly publicOrigin: string | undefined;
  /** Host names that are answered besides addresses and `localhost`. */
  readonly hosts: ReadonlySet<string>;
  /** Undefined means plain HTTP. */
  readonly tls: TlsFiles | undefined;
  readonly stateDir: string;
  /**
   * Where the container service beside this one finds its token; undefined if there is no such service, or an administrator gives it
   * another token.
   */
  readonly serviceTokenFile: string | undefined;
  /** Postgres; if no other is set, the one in the run directory. */
  readonly databaseUrl: string;
  readonly connections: number;
  readonly baseline: BaselineName;
  readonly minPassLength: number;
  readonly requireIfMatch: boolean;
  readonly secondFactorRule: SecondFactorRule;
  /** Holds the keys of second factors, one a line; with undefined, the key is in the database. */
  readonly secondFactorKeyFile: string | undefined;
  readonly hashing: { readonly cost: typeof OWASP_COST; readonly parallel: number; readonly waiting: number };
  readonly auditDays: number;
  /** Where people sign in beside a password; undefined without. */
  readonly sso: SsoConfig | undefined;
  /** What chooses the hosts of places; undefined where users name them. */
  readonly kubernetes: KubernetesConfig | undefined;
  readonly logLevel: "debug" | "info" | "warn" | "error";
}

/** Reads the environment; throws InvalidSettings, which lists every invalid setting. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const parsed = environment.safeParse(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== "")));
  const readTlsFiles = () => tlsSettings("BERTH_DIRECTORY_TLS", env);
  const faults = [
    ...ssoFaults(env),
    ...(parsed.error?.issues ?? []).map((issue) => `${issue.path.join(".")}: ${issue.message}`),
    ...settingFaults(readTlsFiles),
  ];
  if (!parsed.success || faults.length > 0) throw new InvalidSettings(faults);
  const values = parsed.data;
  const processors = availableParallelism();
  return {
    listen: values.BERTH_DIRECTORY_LISTEN,
    metrics: values.BERTH_DIRECTORY_METRICS_LISTEN,
    publicOrigin: values.BERTH_DIRECTORY_PUBLIC_URL,
    hosts: new Set([
      ...values.BERTH_DIRECTORY_HOSTS,
      values.BERTH_DIRECTORY_LISTEN.host.toLowerCase(),
      ...(values.BERTH_DIRECTORY_PUBLIC_URL === undefined ? [] : [new URL(values.BERTH_DIRECTORY_PUBLIC_URL).hostname]),
    ]),
    tls: readTlsFiles(),
    stateDir: values.BERTH_STATE,
    serviceTokenFile:
      values.BERTH_SERVICES === "directory" || values.BERTH_DIRECTORY_TOKEN_FILE !== undefined
        ? undefined
        : join(values.BERTH_STATE, "directory-token"),
    databaseUrl: values.BERTH_DIRECTORY_DATABASE_URL ?? values.DATABASE_URL ?? privateDatabaseUrl(values.BERTH_RUN),
    connections: values.BERTH_DIRECTORY_CONNECTIONS,
    baseline: values.BERTH_POLICY_DEFAULT,
    minPassLength: values.BERTH_PASS_MIN_LENGTH,
    requireIfMatch: values.BERTH_REQUIRE_IF_MATCH === "true",
    secondFactorRule: values.BERTH_SECOND_FACTOR,
    secondFactorKeyFile: values.BERTH_SECOND_FACTOR_KEY_FILE,
    hashing: {
      cost: { memory: values.BERTH_ARGON2_MEMORY_KIB, passes: values.BERTH_ARGON2_PASSES, lanes: OWASP_COST.lanes },
      parallel: processors,
      waiting: 32 * processors,
    },
    auditDays: values.BERTH_AUDIT_DAYS,
    sso: ssoConfig(values),
    kubernetes: kubernetesConfig(values),
    logLevel: values.BERTH_LOG_LEVEL,
  };
}
