import { changing } from "../conformance/traffic/versions/requests/changing.mjs";
import { containers } from "../conformance/traffic/versions/requests/containers.mjs";
import { CREATING } from "../conformance/traffic/versions/requests/creating.mjs";
import { engine, events, unversioned } from "../conformance/traffic/versions/requests/engine.mjs";
import { images } from "../conformance/traffic/versions/requests/images.mjs";
import {
  laterBodies,
  laterChanging,
  laterNetworks,
  laterQueries,
} from "../conformance/traffic/versions/requests/later.mjs";
import { legacy, legacyChanging } from "../conformance/traffic/versions/requests/legacy.mjs";
import { networks, volumes } from "../conformance/traffic/versions/requests/networks.mjs";
import { requestOf } from "../conformance/traffic/versions/requests/request-of.mjs";
import { setUp } from "../conformance/traffic/versions/requests/set-up.mjs";
import { busyboxImage, tarOf } from "../tools/busybox-image.mjs";

const ARCHIVES = {
  file: tarOf([{ name: "file", type: "file", mode: 0o644, content: Buffer.from("text\n") }], 0),
  image: busyboxImage({ tags: ["r/loaded:1"] }),
  garbage: Buffer.from("this is no archive"),
};

/** No registry listens there. */
const REGISTRY = "127.0.0.1:1";

/** What asks other machines, or many seconds of this one. */
const LEFT_OUT = /\/(push|distribution|search)|\/auth|fromImage=(?!127)|\/build|plugins/;

function fill(text) {
  return text
    .replaceAll("$REGISTRY", REGISTRY)
    .replaceAll(/\$(BEGAN|NOW)/g, "1700000000")
    .replaceAll("$EXEC", "0".repeat(64));
}

function requestsOf(lines) {
  return lines
    .map((line) => requestOf(line, { version: "1.51", fill, archives: ARCHIVES }))
    .map(({ method, path, type, body }) => ({ method, path, headers: type ? { "Content-Type": type } : {}, body }))
    .filter(({ path }) => !LEFT_OUT.test(path));
}

/** Every request that recordings of the engine's API hold. */
export const REQUESTS = requestsOf([
  ...changing,
  ...containers,
  ...CREATING,
  ...engine,
  ...events,
  ...unversioned,
  ...images,
  ...laterBodies,
  ...laterChanging,
  ...laterNetworks,
  ...laterQueries,
  ...legacy,
  ...legacyChanging,
  ...networks,
  ...volumes,
]);

/** What they are asked of: a container in every state. */
export const SET_UP = requestsOf(setUp);
