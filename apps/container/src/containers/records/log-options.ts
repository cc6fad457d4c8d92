import { RE2JS } from "re2js";
import type { HostConfig } from "./config.ts";
import type { Container } from "./container.ts";
import type { ContainerSpec } from "./runtime.ts";

const UNITS: Readonly<Record<string, number>> = { "": 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 };

/** Parses a size such as `10m`, `1.5GB` or `512` into bytes; undefined if it is invalid. */
function sizeOf(text: string): number | undefined {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?) ?([kmgt]?)(?:i?b)?$/i.exec(text) ?? [];
  return number === undefined ? undefined : Math.floor(Number(number) * (UNITS[unit.toLowerCase()] ?? 1));
}

/** A client's pattern, matched in linear time as Go does; undefined if it is malformed. */
function compiled(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}

function isPattern(pattern: string | undefined): boolean {
  return pattern === undefined || compiled(pattern) !== undefined;
}

const BOOLEANS = /^(1|t|true|0|f|false)$/i;

/** Returns the error of dockerd's start for invalid log option values; does not check option names. */
export function validateLogValues({ Type, Config }: HostConfig["LogConfig"]): string | undefined {
  if (Type === "none") return undefined;
  const { "max-size": size, "max-file": files, compress, mode = "", "labels-regex": labels, "env-regex": env } = Config;
  const bytes = size === undefined ? undefined : sizeOf(size);
  const checks: readonly (readonly [boolean, string])[] = [
    [size !== undefined && bytes === undefined, `invalid size: '${size}'`],
    [bytes === 0, "max-size must be a positive number"],
    [files !== undefined && !/^[+-]?\d+$/.test(files), `strconv.Atoi: parsing "${files}": invalid syntax`],
    [files !== undefined && Number(files) < 1, "max-file cannot be less than 1"],
    [!isPattern(labels), `error parsing regexp: '${labels}'`],
    [!isPattern(env), `error parsing regexp: '${env}'`],
    [compress !== undefined && !BOOLEANS.test(compress), `strconv.ParseBool: parsing "${compress}": invalid syntax`],
  ];
  const [, why] = checks.find(([refuses]) => refuses) ?? [];
  if (why !== undefined) return `failed to initialize logging driver: ${why}`;
  if (!["", "blocking", "non-blocking"].includes(mode)) return `logger: logging mode not supported: ${mode}`;
  return Config["max-buffer-size"] !== undefined && mode !== "non-blocking"
    ? "logger: max-buffer-size option is only supported with 'mode=non-blocking'"
    : undefined;
}

/** Without a log, this much is kept for attached readers. */
const UNKEPT = { maxBytes: 16 * 1024 ** 2, maxFiles: 2 };

/** The rotation of a log whose container asks for none. `maxBytes` 0 keeps all. */
export interface LogRotation {
  readonly maxBytes: number;
  readonly maxFiles: number;
}

/**
 * The log's rotation. `max-size` without a unit is in bytes. Without `max-size` the fallback holds; without that the log is never
 * rotated.
 */
export function logOf(
  { Type, Config }: HostConfig["LogConfig"],
  fallback: LogRotation = { maxBytes: 0, maxFiles: 1 },
): ContainerSpec["log"] {
  if (Type === "none") return UNKEPT;
  const asked = Config["max-size"];
  const maxFiles = Config["max-file"];
  if (asked !== undefined) return { maxBytes: sizeOf(asked), maxFiles: Number(maxFiles ?? 1) };
  const maxBytes = fallback.maxBytes > 0 ? fallback.maxBytes : undefined;
  return { maxBytes, maxFiles: Number(maxFiles ?? fallback.maxFiles) };
}

function listed(names: string | undefined): readonly string[] {
  return (names ?? "").split(",").filter((name) => name !== "");
}

/** The fields available in a tag template (moby `loggerutils`, `logger.Info`). */
function tagOf(template: string, { id, name, image, imageId }: Container): string {
  const short = (text: string) => text.replace("sha256:", "").slice(0, 12);
  const values: Readonly<Record<string, string>> = {
    ID: short(id),
    FullID: id,
    Name: name,
    ImageName: image,
    ImageID: short(imageId),
    ImageFullID: imageId,
    DaemonName: "docker",
  };
  return template.replaceAll(/\{\{\s*\.(\w+)\s*\}\}/g, (whole, key: string) => values[key] ?? whole);
}

/**
 * The attributes that `docker logs --details` shows beside each line: labels, variables and tag selected by the log options (moby
 * `logger.Info.ExtraAttributes`), sorted by name.
 */
export function logAttributes(container: Container): readonly (readonly [name: string, value: string])[] {
  const { Config: options } = container.hostConfig.LogConfig;
  const { Labels: labels, Env } = container.config;
  const environment = Object.fromEntries(
    Env.map((variable) => /^([^=]*)=([\s\S]*)$/.exec(variable)?.slice(1) ?? [variable, ""]),
  );
  const chosen = (from: Readonly<Record<string, string>>, names: string | undefined) =>
    listed(names)
      .filter((name) => Object.hasOwn(from, name))
      .map((name) => [name, from[name] ?? ""] as const);
  const matching = (from: Readonly<Record<string, string>>, pattern = "") => {
    const regex = pattern === "" ? undefined : compiled(pattern);
    return Object.entries(from).filter(([name]) => regex?.matcher(name).find());
  };
  const attributes = new Map([
    ...chosen(labels, options.labels),
    ...matching(labels, options["labels-regex"]),
    ...chosen(environment, options.env),
    ...matching(environment, options["env-regex"]),
    ...(options.tag ? [["tag", tagOf(options.tag, container)] as const] : []),
  ]);
  return [...attributes].sort(([a], [b]) => (a < b ? -1 : 1));
}
