import { pick } from "./random.mjs";

/** What breaks parsers: of any kind and size, in and out of every range. */
const VALUES = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e300,
  "",
  " ",
  "0",
  "-1",
  "true",
  "../../etc",
  "a\0b",
  "\ud800",
  "ä€𝄞\u202e",
  "%00%2e%2e%2f",
  "__proto__",
  "constructor",
  "x".repeat(70_000),
  [],
  [[]],
  [null],
  ["", ""],
  {},
  { "": {} },
  { __proto__x: 1, toString: 2 },
];

const TEXTS = [
  ...VALUES.filter((value) => typeof value === "string" && !value.includes("\ud800")),
  "NaN",
  "1e9",
  "{}",
  "[]",
  "%",
  "%zz",
  "a&b=c",
  "+",
];

const TYPES = [
  "",
  "application/json; charset=utf-8",
  "text/plain",
  "application/x-tar",
  "a/b/c",
  "application/json;;;",
  "*/*",
];

const VERSIONS = ["", "/v1.12", "/v1.23", "/v1.24", "/v1.41", "/v1.51", "/v9.99", "/v1", "/v1.x", "/v01.41"];

const HEADERS = [
  "X-Registry-Auth",
  "X-Registry-Config",
  "Expect",
  "Range",
  "If-None-Match",
  "Accept-Encoding",
  "Upgrade",
  "Authorization",
];

/**
 * A request that differs from `request` in one to three places.
 * @param {() => number} random
 * @param {{ method: string, path: string, headers: Record<string, string>, body: Buffer | undefined }} request
 */
export function mutated(random, request) {
  const changed = { ...request, headers: { ...request.headers } };
  for (let count = 1 + Math.floor(random() * 3); count > 0; count--)
    pick(random, changed.body === undefined ? WITHOUT_BODY : WITH_BODY)(random, changed);
  return changed;
}

function changePath(random, request) {
  const [path, query] = request.path.split("?");
  const parts = path.split("/");
  const at = 1 + Math.floor(random() * (parts.length - 1));
  if (random() < 0.7) parts[at] = encodeURIComponent(pick(random, TEXTS)).slice(0, 9000);
  else parts.splice(at, 0, pick(random, ["", ".", "..", "%2F", "json"]));
  request.path = parts.join("/") + (query === undefined ? "" : `?${query}`);
}

function changeQuery(random, request) {
  const [path, query = ""] = request.path.split("?");
  const pairs = query === "" ? [] : query.split("&");
  const at = Math.floor(random() * pairs.length);
  const text = encodeURIComponent(pick(random, TEXTS)).slice(0, 9000);
  const name = pairs[at]?.split("=")[0] ?? pick(random, ["filters", "all", "name", "size", "since", "limit", "t", "x"]);
  if (random() < 0.2 && pairs.length > 0) pairs.splice(at, 1);
  else if (random() < 0.6 && pairs.length > 0) pairs[at] = `${name}=${text}`;
  else
    pairs.push(random() < 0.5 ? `${name}=${text}` : `filters=${encodeURIComponent(JSON.stringify(nested(random, 2)))}`);
  request.path = `${path}?${pairs.join("&")}`;
}

function changeVersion(random, request) {
  request.path = request.path.replace(/^\/v[\d.]+/, pick(random, VERSIONS));
}

function changeMethod(random, request) {
  request.method = pick(random, ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]);
}

function changeHeaders(random, request) {
  if (random() < 0.5) request.headers["Content-Type"] = pick(random, TYPES);
  else
    request.headers[pick(random, HEADERS)] = pick(random, [
      "",
      "e30=",
      "!!!",
      "eyJ4",
      "W10=",
      "x".repeat(9000),
      "100-continue",
    ]);
}

/** Any JSON value, no deeper than told. */
function nested(random, depth) {
  if (depth === 0 || random() < 0.4) return pick(random, VALUES);
  const keys = ["Id", "Name", "Type", "label", "until", "id", "0"];
  if (random() < 0.4) return Array.from({ length: Math.floor(random() * 3) }, () => nested(random, depth - 1));
  return Object.fromEntries(Array.from({ length: 2 }, () => [pick(random, keys), nested(random, depth - 1)]));
}

/** Replaces, removes or adds something at a random place of the value. */
function changedValue(random, value) {
  if (value === null || typeof value !== "object" || random() < 0.25) return nested(random, 2);
  const keys = Object.keys(value);
  if (keys.length === 0) return { [pick(random, ["Image", "HostConfig", "x"])]: nested(random, 2) };
  const key = pick(random, keys);
  const copy = Array.isArray(value) ? [...value] : { ...value };
  if (random() < 0.15) delete copy[key];
  else copy[key] = changedValue(random, copy[key]);
  return copy;
}

function changeBody(random, request) {
  const text = request.body.toString("latin1");
  if (/^\s*[[{]/.test(text) && random() < 0.75) {
    try {
      request.body = Buffer.from(JSON.stringify(harmless(changedValue(random, JSON.parse(request.body.toString())))));
      return;
    } catch {
      // It was broken before.
    }
  }
  changeBytes(random, request);
}

function changeBytes(random, request) {
  const bytes = Buffer.from(request.body);
  if (random() < 0.3) request.body = bytes.subarray(0, Math.floor(random() * bytes.length));
  else {
    for (let count = 1 + Math.floor(random() * 8); count > 0 && bytes.length > 0; count--)
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    request.body = isHarmless(bytes) ? bytes : bytes.subarray(0, bytes.length >> 1);
  }
}

const WITHOUT_BODY = [changePath, changeQuery, changeQuery, changeVersion, changeMethod, changeHeaders, giveBody];
const WITH_BODY = [changePath, changeQuery, changeVersion, changeHeaders, changeBody, changeBody, changeBody];

function giveBody(random, request) {
  request.body = Buffer.from(JSON.stringify(nested(random, 3)));
  request.headers["Content-Type"] ??= "application/json";
}

/** The fields that would make or change something of the host, wherever they are. */
const OF_THE_HOST = /^(binds|mounts|devices|devicecgrouprules|cgroupparent|sysctls|privileged|pidmode|utsmode)$/i;

/** The value without what would change the host itself: a bind's source is made, a cgroup's parent too. */
function harmless(value) {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(harmless);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !OF_THE_HOST.test(key))
      .map(([key, one]) => [key, harmless(one)]),
  );
}

function isHarmless(bytes) {
  return !/"(binds|mounts|devices|devicecgrouprules|cgroupparent|sysctls|privileged|pidmode|utsmode)/i.test(
    bytes.toString("latin1"),
  );
}
