import type { Result } from "@berth/port-spec";
import { err, ok } from "@berth/port-spec";

// The grammar of the `distribution/reference` library, which Docker clients and engines share.

/** A normalised image name: the familiar `busybox` is `{domain: "docker.io", path: "library/busybox"}`. */
export interface Reference {
  readonly domain: string;
  readonly path: string;
  readonly tag?: string;
  /** `sha256:` and 64 digits. */
  readonly digest?: string;
}

export type ReferenceError =
  | { readonly kind: "identifier"; readonly input: string }
  | { readonly kind: "uppercase"; readonly repository: string }
  | { readonly kind: "too-long" | "format" | "tag" | "digest-algorithm" | "digest-length" | "digest-format" };

const DEFAULT_DOMAIN = "docker.io";
const OFFICIAL_PREFIX = "library/";
const MAX_PATH_LENGTH = 255;
/** The length limit of a reference, which bounds the work of the expressions below. */
const MAX_LENGTH = 1024;

const DOMAIN_COMPONENT = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
const DOMAIN = `(?:${DOMAIN_COMPONENT}(?:\\.${DOMAIN_COMPONENT})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const PATH_COMPONENT = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const TAG_PATTERN = "[\\w][\\w.-]{0,127}";
const DIGEST_PATTERN = "[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}";

const WHOLE_REFERENCE = new RegExp(
  `^(${DOMAIN})/(${PATH_COMPONENT}(?:/${PATH_COMPONENT})*)(?::(${TAG_PATTERN}))?(?:@(${DIGEST_PATTERN}))?$`,
);
const WHOLE_TAG = new RegExp(`^${TAG_PATTERN}$`);
const IDENTIFIER = /^[a-f0-9]{64}$/;
const SHA256 = /^sha256:[a-f0-9]{64}$/;

/** Whether `text` is `sha256:` and 64 lower-case digits. */
export function isDigest(text: string): boolean {
  return SHA256.test(text);
}

/** Whether `text` can be a tag. */
export function isTag(text: string): boolean {
  return WHOLE_TAG.test(text);
}

/** Parses a reference in familiar or full form; adds neither a tag nor a digest. */
export function parseReference(text: string): Result<Reference, ReferenceError> {
  if (IDENTIFIER.test(text)) return err({ kind: "identifier", input: text });
  if (text.length > MAX_LENGTH) return err({ kind: "too-long" });
  const [domainName, remainder] = splitDomain(text);
  const colon = remainder.indexOf(":");
  const repository = colon < 0 ? remainder : remainder.slice(0, colon);
  if (repository !== repository.toLowerCase()) return err({ kind: "uppercase", repository });

  const match = WHOLE_REFERENCE.exec(`${domainName}/${remainder}`);
  if (match === null) return err({ kind: "format" });
  const [, host = "", path = "", tag, digest] = match;
  if (path.length > MAX_PATH_LENGTH) return err({ kind: "too-long" });
  if (digest !== undefined && !isDigest(digest)) return err({ kind: digestFault(digest) });
  return ok({ domain: host, path, ...(tag === undefined ? {} : { tag }), ...(digest === undefined ? {} : { digest }) });
}

function digestFault(digest: string): "digest-algorithm" | "digest-length" | "digest-format" {
  const [algorithm, hex = ""] = digest.split(":");
  if (algorithm !== "sha256") return "digest-algorithm";
  return hex.length === 64 ? "digest-format" : "digest-length";
}

function splitDomain(name: string): readonly [domain: string, remainder: string] {
  const slash = name.indexOf("/");
  const first = name.slice(0, Math.max(slash, 0));
  const isDomain = slash >= 0 && (first === "localhost" || /[.:]/.test(first) || first !== first.toLowerCase());
  const host = isDomain && first !== "index.docker.io" ? first : DEFAULT_DOMAIN;
  const rest = isDomain ? name.slice(slash + 1) : name;
  return [host, host === DEFAULT_DOMAIN && !rest.includes("/") ? `${OFFICIAL_PREFIX}${rest}` : rest];
}

/** What a client may name an image by: an id, or a reference (which may turn out to be an id prefix). */
export type ImageName =
  | { readonly kind: "id"; readonly id: string }
  | { readonly kind: "reference"; readonly reference: Reference };

/** Parses a full id, with or without its `sha256:`, or a reference. */
export function parseImageName(text: string): Result<ImageName, ReferenceError> {
  if (IDENTIFIER.test(text)) return ok({ kind: "id", id: `sha256:${text}` });
  if (isDigest(text)) return ok({ kind: "id", id: text });
  const parsed = parseReference(text);
  return parsed.ok ? ok({ kind: "reference", reference: parsed.value }) : parsed;
}

/** Combines `repo` with `tag` (or a digest), which replaces a tag in `repo`, as the `repo` and `tag` queries do. */
export function parseRepositoryTag(repo: string, tag: string): Result<Reference, ReferenceError> {
  const parsed = parseReference(repo);
  if (!parsed.ok || tag === "") return parsed;
  if (isDigest(tag)) return ok({ ...repositoryOf(parsed.value), digest: tag });
  return isTag(tag) ? ok({ ...repositoryOf(parsed.value), tag }) : err({ kind: "tag" });
}

/** Drops tag and digest. */
export function repositoryOf({ domain: host, path }: Reference): Reference {
  return { domain: host, path };
}

/** Adds `latest` unless there is a tag or a digest. */
export function withDefaultTag(reference: Reference): Reference {
  return reference.tag === undefined && reference.digest === undefined ? { ...reference, tag: "latest" } : reference;
}

function suffix({ tag, digest }: Reference): string {
  return `${tag === undefined ? "" : `:${tag}`}${digest === undefined ? "" : `@${digest}`}`;
}

/** `docker.io/library/busybox:latest`. */
export function formatReference(reference: Reference): string {
  return `${reference.domain}/${reference.path}${suffix(reference)}`;
}

/** `busybox`: the repository as Docker shows it. */
export function familiarRepository({ domain: host, path }: Reference): string {
  if (host !== DEFAULT_DOMAIN) return `${host}/${path}`;
  const official = path.startsWith(OFFICIAL_PREFIX) ? path.slice(OFFICIAL_PREFIX.length) : path;
  return official.includes("/") ? path : official;
}

/** `busybox:latest`: the reference as Docker shows it. */
export function formatFamiliar(reference: Reference): string {
  return `${familiarRepository(reference)}${suffix(reference)}`;
}

/** The messages of the `reference` library, which clients show and tests compare. */
export function referenceMessage(error: ReferenceError): string {
  switch (error.kind) {
    case "identifier":
      return `invalid repository name (${error.input}), cannot specify 64-byte hexadecimal strings`;
    case "uppercase":
      return `invalid reference format: repository name (${error.repository}) must be lowercase`;
    case "too-long":
      return `repository name must not be more than ${MAX_PATH_LENGTH} characters`;
    case "format":
      return "invalid reference format";
    case "tag":
      return "invalid tag format";
    case "digest-algorithm":
      return "unsupported digest algorithm";
    case "digest-length":
      return "invalid checksum digest length";
    case "digest-format":
      return "invalid checksum digest format";
  }
}
