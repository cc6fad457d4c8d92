import type { Result } from "@berth/port-spec";
import { err, ok } from "@berth/port-spec";

// The grammar of the `distribution/reference` library, which every Docker client and engine shares.

/** A named image, normalised: the familiar `busybox` is `{domain: "docker.io", path: "library/busybox"}`. */
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

const defaultDomain = "docker.io";
const officialPrefix = "library/";
const maxPathLength = 255;
/** No well-formed reference is longer: a cap on what the expressions below are run on. */
const maxLength = 1024;

const domainComponent = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
const domain = `(?:${domainComponent}(?:\\.${domainComponent})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const pathComponent = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const tagPattern = "[\\w][\\w.-]{0,127}";
const digestPattern = "[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}";

const wholeReference = new RegExp(
  `^(${domain})/(${pathComponent}(?:/${pathComponent})*)(?::(${tagPattern}))?(?:@(${digestPattern}))?$`,
);
const wholeTag = new RegExp(`^${tagPattern}$`);
const identifier = /^[a-f0-9]{64}$/;
const sha256 = /^sha256:[a-f0-9]{64}$/;

/** Whether `text` is `sha256:` and 64 lower-case digits. */
export function isDigest(text: string): boolean {
  return sha256.test(text);
}

/** Whether `text` can be a tag. */
export function isTag(text: string): boolean {
  return wholeTag.test(text);
}

/** Parses a reference in its familiar or its full form; neither a tag nor a digest is added. */
export function parseReference(text: string): Result<Reference, ReferenceError> {
  if (identifier.test(text)) return err({ kind: "identifier", input: text });
  if (text.length > maxLength) return err({ kind: "too-long" });
  const [domainName, remainder] = splitDomain(text);
  const colon = remainder.indexOf(":");
  const repository = colon < 0 ? remainder : remainder.slice(0, colon);
  if (repository !== repository.toLowerCase()) return err({ kind: "uppercase", repository });

  const match = wholeReference.exec(`${domainName}/${remainder}`);
  if (match === null) return err({ kind: "format" });
  const [, host = "", path = "", tag, digest] = match;
  if (path.length > maxPathLength) return err({ kind: "too-long" });
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
  const host = isDomain && first !== "index.docker.io" ? first : defaultDomain;
  const rest = isDomain ? name.slice(slash + 1) : name;
  return [host, host === defaultDomain && !rest.includes("/") ? `${officialPrefix}${rest}` : rest];
}

/** What a client may name an image by: an id, or a reference (which may yet turn out to be the prefix of an id). */
export type ImageName =
  | { readonly kind: "id"; readonly id: string }
  | { readonly kind: "reference"; readonly reference: Reference };

/** Parses a full id, with or without its `sha256:`, or a reference. */
export function parseImageName(text: string): Result<ImageName, ReferenceError> {
  if (identifier.test(text)) return ok({ kind: "id", id: `sha256:${text}` });
  if (isDigest(text)) return ok({ kind: "id", id: text });
  const parsed = parseReference(text);
  return parsed.ok ? ok({ kind: "reference", reference: parsed.value }) : parsed;
}

/** `repo` with `tag` (or a digest in its place) over whatever tag it came with, as the `repo` and `tag` queries give them. */
export function parseRepositoryTag(repo: string, tag: string): Result<Reference, ReferenceError> {
  const parsed = parseReference(repo);
  if (!parsed.ok || tag === "") return parsed;
  if (isDigest(tag)) return ok({ ...repositoryOf(parsed.value), digest: tag });
  return isTag(tag) ? ok({ ...repositoryOf(parsed.value), tag }) : err({ kind: "tag" });
}

/** Without tag and digest. */
export function repositoryOf({ domain: host, path }: Reference): Reference {
  return { domain: host, path };
}

/** Adds `latest` where there is neither tag nor digest. */
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
  if (host !== defaultDomain) return `${host}/${path}`;
  const official = path.startsWith(officialPrefix) ? path.slice(officialPrefix.length) : path;
  return official.includes("/") ? path : official;
}

/** `busybox:latest`: the reference as Docker shows it. */
export function formatFamiliar(reference: Reference): string {
  return `${familiarRepository(reference)}${suffix(reference)}`;
}

/** The words of the `reference` library, which clients show and tests compare. */
export function referenceMessage(error: ReferenceError): string {
  switch (error.kind) {
    case "identifier":
      return `invalid repository name (${error.input}), cannot specify 64-byte hexadecimal strings`;
    case "uppercase":
      return `invalid reference format: repository name (${error.repository}) must be lowercase`;
    case "too-long":
      return `repository name must not be more than ${maxPathLength} characters`;
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
