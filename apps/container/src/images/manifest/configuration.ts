import type { Result } from "@berth/port-spec";
import { err, ok } from "@berth/port-spec";
import { omitUndefined } from "@berth/service-kit/omit-undefined";
import { z } from "zod";
import type { ImageConfig } from "../images.ts";
import { isDigest } from "../reference/reference.ts";
import type { Platform } from "./manifest.ts";
import { parseJson } from "./manifest.ts";

export interface HistoryEntry {
  readonly created?: string | undefined;
  readonly created_by?: string | undefined;
  readonly author?: string | undefined;
  readonly comment?: string | undefined;
  readonly empty_layer?: boolean | undefined;
}

/** An OCI image configuration with Docker's additional fields for a committed container. */
export interface Configuration extends Platform {
  readonly created?: string | undefined;
  readonly author?: string | undefined;
  readonly comment?: string | undefined;
  readonly docker_version?: string | undefined;
  /** The container that was committed. */
  readonly container?: string | undefined;
  readonly container_config?: Readonly<Record<string, unknown>> | undefined;
  readonly config?: ImageConfig | undefined;
  readonly rootfs: { readonly type: "layers"; readonly diff_ids: readonly string[] };
  readonly history?: readonly HistoryEntry[] | undefined;
}

const strings = z.array(z.string());
const set = z.record(
  z.string(),
  z
    .object({})
    .nullish()
    .transform(() => ({})),
);
// Go writes null for empty values and omits absent ones; both are omitted here.
function present<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => (value === null ? undefined : value));
}

const imageConfig = z
  .object({
    User: present(z.string()),
    ExposedPorts: present(set),
    Env: present(strings),
    Entrypoint: present(z.union([strings, z.string().transform((text) => [text])])),
    Cmd: present(z.union([strings, z.string().transform((text) => [text])])),
    Volumes: present(set),
    WorkingDir: present(z.string()),
    Labels: present(z.record(z.string(), z.string())),
    StopSignal: present(z.string()),
    Healthcheck: present(z.record(z.string(), z.unknown())),
    Shell: present(strings),
    OnBuild: present(strings),
  })
  .transform((config): ImageConfig => omitUndefined(config));

const configuration = z.object({
  os: z.string().default("linux"),
  architecture: z.string().default(""),
  variant: z.string().optional(),
  created: present(z.string()),
  author: z.string().optional(),
  comment: z.string().optional(),
  docker_version: z.string().optional(),
  container: z.string().optional(),
  container_config: present(z.record(z.string(), z.unknown())),
  config: present(imageConfig),
  rootfs: z.object({
    type: z.literal("layers"),
    diff_ids: present(z.array(z.string().refine(isDigest, "is no sha256 digest")).max(1000)).transform(
      (ids) => ids ?? [],
    ),
  }),
  history: present(
    z.array(
      z.object({
        created: present(z.string()),
        created_by: z.string().optional(),
        author: z.string().optional(),
        comment: z.string().optional(),
        empty_layer: z.boolean().optional(),
      }),
    ),
  ),
});

/** Parses an image configuration; the error names the invalid field. */
export function parseConfiguration(bytes: Buffer): Result<Configuration, string> {
  const json = parseJson(bytes);
  if (!json.ok) return err(`invalid image configuration: ${json.error}`);
  const parsed = configuration.safeParse(json.value);
  if (parsed.success) return ok(omitUndefined(parsed.data));
  const [issue] = parsed.error.issues;
  return err(`invalid image configuration: ${issue?.path.join(".")}: ${issue?.message}`);
}

/** Formats a configuration as JSON. */
export function formatConfiguration(value: Configuration): Buffer {
  return Buffer.from(JSON.stringify(value));
}
