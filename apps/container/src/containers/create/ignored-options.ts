import type { HostConfig } from "../records/config.ts";
import { securityOptionsOf } from "../records/security-options.ts";

/** Options of the log driver that dockerd obeys and Berth does not, with the values that change nothing. */
const IGNORED_LOG_OPTIONS: readonly (readonly [name: string, harmless: RegExp, why: string])[] = [
  ["compress", /^(0|f|false)?$/i, "rotated files are kept as they are"],
  ["mode", /^(blocking)?$/, "output is always written at once"],
];

function logWarnings({ Type, Config }: HostConfig["LogConfig"]): readonly string[] {
  if (Type === "none") return [];
  return IGNORED_LOG_OPTIONS.flatMap(([name, harmless, why]) => {
    const value = Config[name];
    return value === undefined || harmless.test(value)
      ? []
      : [`The log option ${name}=${value} is not supported: ${why}. Option discarded.`];
  });
}

function securityWarnings(host: Pick<HostConfig, "SecurityOpt">, { apparmor }: { readonly apparmor: boolean }) {
  const { apparmor: profile, labels } = securityOptionsOf(host);
  const unlabelled = labels.filter((label) => label !== "disable" && label !== "");
  return [
    ...(profile !== undefined && !apparmor
      ? [`Your kernel does not support AppArmor or it is disabled. Profile ${profile} discarded.`]
      : []),
    ...unlabelled.map((label) => `SELinux labels are not supported. Label ${label} discarded.`),
  ];
}

/** A warning for each option that is accepted without effect, because the host or Berth does not have what it controls. */
export function ignoredOptions(
  hostConfig: Pick<HostConfig, "SecurityOpt" | "LogConfig">,
  host: { readonly apparmor: boolean },
): readonly string[] {
  return [...securityWarnings(hostConfig, host), ...logWarnings(hostConfig.LogConfig)];
}
