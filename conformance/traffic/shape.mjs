// An answer without what differs from run to run: statuses, headers that matter, and the body's keys and types.

/** Headers whose value clients read. */
const VALUED = [
  "content-type",
  "api-version",
  "docker-experimental",
  "ostype",
  "cache-control",
  "pragma",
  "upgrade",
  "connection",
];
/** Headers that clients read, or want to be there, with a value of the engine's own. */
const PRESENT = ["server", "location", "builder-version"];
const PATH_STAT = "x-docker-container-path-stat";

/**
 * The request as it is the same in every run: no version, no ids, no moments.
 * @param {import("./proxy.mjs").Exchange} exchange
 */
export function requestOf({ method, url }) {
  const { pathname, searchParams } = new URL(url, "http://engine");
  const query = [...searchParams]
    .map(([name, value]) => `${name}=${/^\d{10}/.test(value) ? "TIME" : plain(value)}`)
    .sort()
    .join("&");
  return `${method} ${plain(pathname.replace(/^\/v1\.\d+/, ""))}${query === "" ? "" : `?${query}`}`;
}

/**
 * The answer's shape: by place, the sorted types that are found there, separated by `|`.
 * @param {import("./proxy.mjs").Exchange} exchange
 * @returns {Record<string, string>}
 */
export function shapeOf({ status, headers, body }) {
  /** @type {Record<string, string>} */
  const shape = { status: String(status) };
  for (const name of VALUED)
    if (headers[name] !== undefined && headers[name] !== "keep-alive") shape[`header ${name}`] = String(headers[name]);
  for (const name of PRESENT) if (headers[name] !== undefined) shape[`header ${name}`] = "(present)";
  const stat = headers[PATH_STAT];
  if (stat !== undefined)
    walk(JSON.parse(Buffer.from(String(stat), "base64").toString()), `header ${PATH_STAT} `, shape);
  const values = jsonOf(body);
  const text = /^text\/plain/.test(headers["content-type"] ?? "");
  if (body.length === 0) shape.body = "empty";
  else if (values === undefined) shape.body = text ? "text" : bytesOf(body);
  else for (const value of values) walk(value, "", shape);
  const said = values?.flatMap((value) => value?.errorDetail?.message ?? (status >= 400 ? value?.message : [])) ?? [];
  if (status >= 400 && values === undefined && body.length > 0) said.push(body.toString());
  if (said.length > 0) shape.says = said.map(plainWords).join("; ");
  return shape;
}

/** A stream of frames by the streams that it tells of, or bytes. */
function bytesOf(body) {
  const streams = new Set();
  for (let at = 0; at < body.length; ) {
    if (body.length < at + 8 || body[at] > 2 || body.readUIntBE(at + 1, 3) !== 0) return "bytes";
    streams.add(["stdin", "stdout", "stderr"][body[at]]);
    at += 8 + body.readUInt32BE(at + 4);
    if (at > body.length) return "bytes";
  }
  return `frames of ${[...streams].sort().join(", ")}`;
}

/**
 * Takes what several shapes have in common and what each adds into one.
 * @param {Record<string, string>} into changed
 * @param {Record<string, string>} shape
 */
export function merge(into, shape) {
  for (const [place, types] of Object.entries(shape)) add(into, place, types);
}

/** One JSON value, or those of a stream of them; undefined where the body is no JSON. */
function jsonOf(body) {
  const text = body.toString();
  if (!/^[[{n]/.test(text)) return undefined;
  try {
    return [JSON.parse(text)];
  } catch {
    try {
      return text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    } catch {
      return undefined;
    }
  }
}

function walk(value, place, shape) {
  const at = place === "" ? "/" : place;
  if (Array.isArray(value)) {
    add(shape, at, "array");
    for (const item of value) walk(item, `${place}/*`, shape);
  } else if (typeof value === "object" && value !== null) {
    add(shape, at, "object");
    for (const [key, inner] of Object.entries(value)) walk(inner, `${place}/${plain(key)}`, shape);
  } else add(shape, at, value === null ? "null" : typeof value);
}

function add(shape, place, types) {
  const known = shape[place]?.split("|") ?? [];
  shape[place] = [...new Set([...known, ...types.split("|")])].sort().join("|");
}

/** A message without what differs from run to run. `|` parts what an answer may be, so it is none of an answer's own. */
function plainWords(message) {
  return message
    .trim()
    .replaceAll(/\/\S*\/(docker-import-|containerd-mount)\d+/g, "FOLDER")
    .replaceAll(/[0-9a-f]{64}|\b[0-9a-f]{12}\b/g, "ID")
    .replaceAll(/\b\d{10,}(\.\d+)?\b/g, "TIME")
    .replace(/(?<=network endpoints: ).*/, "NAMES")
    .replaceAll("|", "/");
}

function plain(text) {
  return text.replaceAll(/[0-9a-f]{64}/g, "ID").replaceAll(/^[0-9a-f]{12}$/g, "ID");
}
