import { execFileSync } from "node:child_process";
import { basename } from "node:path";
import { busyboxImage } from "../../../tools/busybox-image.mjs";
import { shapeOf } from "../shape.mjs";
import { exchange } from "./exchange.mjs";
import { changing } from "./requests/changing.mjs";
import { containers } from "./requests/containers.mjs";
import { CREATING } from "./requests/creating.mjs";
import { engine, events, unversioned } from "./requests/engine.mjs";
import { images } from "./requests/images.mjs";
import { laterBodies, laterChanging, laterNetworks, laterQueries, searching } from "./requests/later.mjs";
import { legacy, legacyChanging } from "./requests/legacy.mjs";
import { networks, volumes } from "./requests/networks.mjs";
import { requestOf } from "./requests/request-of.mjs";
import { setUp } from "./requests/set-up.mjs";

/** Change nothing: each may be asked beside every other. */
const READING = [...events, ...engine, ...containers, ...images, ...networks, ...volumes, ...laterQueries];

/** Most are refused. What some of them make is taken back, but a list would show it. */
const MAKING = [...CREATING, ...laterBodies];

/** Requests that are open at the same time: the engine answers some of them only after a second. */
const WIDTH = 12;

function minors(first, last) {
  return Array.from({ length: last - first + 1 }, (_, at) => `1.${first + at}`);
}

/** The versions of dockerd 28.5, and those below, which only dockerd 20.10 answered. */
export const VERSIONS = { all: minors(24, 51), legacy: minors(12, 23) };

const NEWEST = "1.51";

/**
 * Asks an engine every request at every version. Makes what it needs beside what is there, and takes it away again.
 * @param {string} socket the path of its Unix socket
 * @param {{ registry: string, versionsOf?: (line: string) => readonly string[], changingAt?: readonly string[],
 *   legacyVersions?: readonly string[] }} options the address of a registry that the engine reaches; the versions at which a request is
 *   made that changes nothing, and those at which the ones are made that change something; the versions below 1.24 that it speaks. All
 *   unless told
 * @returns {Promise<Record<string, Record<string, Record<string, string>>>>} by request, then by version, the answer's shape
 */
export async function playVersions(
  socket,
  {
    registry,
    versionsOf = () => VERSIONS.all,
    changingAt = [...VERSIONS.all, ...VERSIONS.legacy],
    legacyVersions = VERSIONS.legacy,
  },
) {
  const began = now();
  const asking = { socket, registry, began };
  const ask = (line, version) => askLine({ ...asking, exec: undefined }, line, version);
  const played = {};
  const keep = (line, version, shape) => {
    played[line] ??= {};
    played[line][version] = shape;
  };
  try {
    for (const line of setUp) await expectOne(ask, line);
    const atEach = (line) =>
      versionsOf(line)
        .filter((version) => VERSIONS.all.includes(version))
        .map((version) => ({ line, version }));
    const reading = [
      ...READING.flatMap(atEach),
      ...legacy.flatMap((line) => legacyVersions.map((version) => ({ line, version }))),
      ...unversioned.map((line) => ({ line, version: "none" })),
    ];
    const askOnce = async ({ line, version }) => {
      const answer = await ask(line, version);
      await takeBack(ask, line, answer);
      keep(line, version, shapeOf(answer));
    };
    for (const beside of [reading, MAKING.flatMap(atEach)]) await inParallel(beside, askOnce);
    const alone = [
      ...laterNetworks.flatMap(atEach),
      ...searching.flatMap((line) => [VERSIONS.all[0], NEWEST].map((version) => ({ line, version }))),
    ];
    for (const { line, version } of alone) await askOnce({ line, version });
    for (const [list, among] of [
      [changing, VERSIONS.all],
      [laterChanging, VERSIONS.all],
      [legacyChanging, legacyVersions],
    ]) {
      for (const version of among.filter((one) => changingAt.includes(one))) {
        let exec;
        for (const [at, line] of list.entries()) {
          const answer = await askLine({ ...asking, exec }, line, version);
          if (/^POST \/containers\/\S+\/exec /.test(line)) exec = JSON.parse(answer.body.toString()).Id;
          keep(`${at + 1}. ${line}`, version, shapeOf(answer));
        }
      }
    }
  } finally {
    await clear(ask);
  }
  return played;
}

function now() {
  return (Date.now() / 1000).toFixed(6);
}

async function expectOne(ask, line) {
  const { status, body } = await ask(line, NEWEST);
  if (status >= 400) throw new Error(`${line} answered ${status} ${body}`);
}

/** A create that was to be refused, and was not, leaves nothing. What the set-up made stays. */
async function takeBack(ask, line, { status, body }) {
  const [, kind] = /POST (?:\/v1\.\d+)?\/(containers|networks|volumes)\/create/.exec(line) ?? [];
  if (kind === undefined || status !== 201) return;
  const { Id, Name } = JSON.parse(body.toString());
  if (Name !== "r-vol") await ask(`DELETE /${kind}/${Id ?? Name}?force=1&v=1`, NEWEST);
}

async function clear(ask) {
  const of = async (line) => JSON.parse((await ask(line, NEWEST)).body.toString());
  for (const { Id, Names } of await of("GET /containers/json?all=1"))
    if (/^\/[rv]-/.test(Names[0])) await ask(`DELETE /containers/${Id}?force=1&v=1`, NEWEST);
  for (const name of ["r-net", "v-net", "v-no"]) await ask(`DELETE /networks/${name}`, NEWEST);
  for (const name of ["r-vol", "v-vol"]) await ask(`DELETE /volumes/${name}`, NEWEST);
  for (const { RepoTags } of await of("GET /images/json"))
    for (const tag of RepoTags ?? [])
      if (/(^|\/)r\//.test(tag)) await ask(`DELETE /images/${tag.replace("REGISTRY", "$REGISTRY")}?force=1`, NEWEST);
}

async function inParallel(items, work) {
  const left = items.values();
  await Promise.all(
    Array.from({ length: WIDTH }, async () => {
      for (const item of left) await work(item);
    }),
  );
}

const ARCHIVES = {
  file: execFileSync("tar", ["-cf", "-", "-C", import.meta.dirname, basename(import.meta.filename)]),
  image: busyboxImage({ tags: ["r/loaded:1"] }),
  garbage: Buffer.from("this is no archive"),
};

/** The answer to one line of the list. */
async function askLine({ socket, registry, began, exec }, line, version) {
  const fill = (text) =>
    text
      .replaceAll("$REGISTRY", registry)
      .replaceAll("$BEGAN", began)
      .replaceAll("$NOW", now)
      .replaceAll("$EXEC", exec ?? "");
  const { method, path, type, body, upgrade, cut } = requestOf(line, { version, fill, archives: ARCHIVES });
  const answer = await exchange(socket, {
    method,
    url: path,
    headers: {
      ...(type !== "" && { "content-type": type }),
      ...(/\/push/.test(path) && { "x-registry-auth": "e30=" }),
    },
    body,
    upgrade,
    cut,
  });
  return { ...answer, body: Buffer.from(answer.body.toString("latin1").replaceAll(registry, "REGISTRY"), "latin1") };
}
