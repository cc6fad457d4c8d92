#!/usr/bin/env node
// Makes a `docker save` archive of a busybox image from the host's own static busybox, without a network.
//
//   node tools/busybox-image.mjs [--output FILE] [--tag busybox:latest]... [--busybox /bin/busybox]
//
// The same busybox always gives the same bytes, and so the same image id.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const BLOCK_BYTES = 512;

/**
 * @typedef {object} TarEntry
 * @property {string} name
 * @property {"file" | "directory" | "symlink"} type
 * @property {number} mode
 * @property {Buffer} [content]
 * @property {string} [target]
 */

/**
 * A file beside busybox; its name has no leading slash.
 * @typedef {{ name: string, mode: number, content: Buffer | string }} AddedFile
 */

/** @type {Readonly<Record<TarEntry["type"], string>>} */
const TYPE_FLAGS = { file: "0", symlink: "2", directory: "5" };

/**
 * A tar in the ustar format (POSIX.1-1988).
 * @param {readonly TarEntry[]} entries
 * @param {number} mtime seconds since the epoch
 * @returns {Buffer}
 */
export function tarOf(entries, mtime) {
  const blocks = entries.flatMap(({ name, type, mode, content = Buffer.alloc(0), target = "" }) => {
    const header = Buffer.alloc(BLOCK_BYTES);
    /** @param {number} value @param {number} offset @param {number} length */
    const octal = (value, offset, length) => header.write(`${value.toString(8).padStart(length - 1, "0")}\0`, offset);
    header.write(name, 0, 100);
    octal(mode, 100, 8);
    octal(0, 108, 8);
    octal(0, 116, 8);
    octal(content.length, 124, 12);
    octal(mtime, 136, 12);
    header.write(" ".repeat(8), 148);
    header.write(TYPE_FLAGS[type], 156);
    header.write(target, 157, 100);
    header.write("ustar\x0000", 257, "latin1");
    header.write("root", 265);
    header.write("root", 297);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, content, Buffer.alloc((BLOCK_BYTES - (content.length % BLOCK_BYTES)) % BLOCK_BYTES)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK_BYTES)]);
}

const PASSWD = `root:x:0:0:root:/root:/bin/sh
daemon:x:1:1:daemon:/usr/sbin:/bin/false
bin:x:2:2:bin:/bin:/bin/false
sys:x:3:3:sys:/dev:/bin/false
sync:x:4:100:sync:/bin:/bin/sync
mail:x:8:8:mail:/var/spool/mail:/bin/false
www-data:x:33:33:www-data:/var/www:/bin/false
operator:x:37:37:Operator:/var:/bin/false
nobody:x:65534:65534:nobody:/home:/bin/false
`;
const GROUP = `root:x:0:
daemon:x:1:
bin:x:2:
sys:x:3:
tty:x:5:
mail:x:8:
wheel:x:10:root
www-data:x:33:
operator:x:37:
users:x:100:
nogroup:x:65534:
`;

/** @type {readonly (readonly [string, number])[]} */
const DIRECTORIES = [
  ["bin", 0o755],
  ["dev", 0o755],
  ["etc", 0o755],
  ["home", 0o755],
  ["lib", 0o755],
  ["proc", 0o755],
  ["root", 0o700],
  ["sbin", 0o755],
  ["sys", 0o755],
  ["tmp", 0o1777],
  ["usr", 0o755],
  ["usr/bin", 0o755],
  ["usr/sbin", 0o755],
  ["var", 0o755],
  ["var/spool", 0o755],
  ["var/spool/mail", 0o755],
  ["var/www", 0o755],
];

/**
 * The folders above the files that the image has not yet.
 * @param {readonly AddedFile[]} files
 * @returns {readonly TarEntry[]}
 */
function foldersOf(files) {
  const known = new Set(DIRECTORIES.map(([name]) => name));
  const parts = files.flatMap(({ name }) => name.split("/").map((_, at, all) => all.slice(0, at).join("/")));
  return [...new Set(parts)]
    .filter((name) => name !== "" && !known.has(name))
    .sort()
    .map((name) => ({ name: `${name}/`, type: /** @type {const} */ ("directory"), mode: 0o755 }));
}

/** @param {string} busybox @returns {readonly TarEntry[]} */
function rootFiles(busybox) {
  const applets = execFileSync(busybox, ["--list-full"], { encoding: "utf8" }).trim().split("\n");
  const known = new Set(DIRECTORIES.map(([name]) => name));
  return [
    ...DIRECTORIES.map(([name, mode]) => ({ name: `${name}/`, type: /** @type {const} */ ("directory"), mode })),
    { name: "bin/busybox", type: "file", mode: 0o755, content: readFileSync(busybox) },
    { name: "etc/passwd", type: "file", mode: 0o644, content: Buffer.from(PASSWD) },
    { name: "etc/group", type: "file", mode: 0o644, content: Buffer.from(GROUP) },
    { name: "etc/shadow", type: "file", mode: 0o600, content: Buffer.from("root:*:::::::\n") },
    ...applets
      .map((path) =>
        known.has(path.slice(0, path.lastIndexOf("/"))) ? path : `bin/${path.slice(path.lastIndexOf("/") + 1)}`,
      )
      .filter((path) => path !== "bin/busybox")
      .map((name) => ({ name, type: /** @type {const} */ ("symlink"), mode: 0o777, target: "/bin/busybox" })),
  ];
}

/** Go's names for the architectures that Node names otherwise. @type {Readonly<Record<string, string>>} */
const ARCHITECTURES = { x64: "amd64", ia32: "386" };

/** @param {Buffer | string} bytes */
function sha256(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * The archive: one layer with busybox, its applets as links, and the files added, each in the place of busybox's own.
 * @param {{ busybox?: string, tags?: readonly string[], files?: readonly AddedFile[], command?: readonly string[], entrypoint?: readonly string[], architecture?: string }} [options]
 *   `architecture` as Go names it; what the image says it is, not what its busybox is
 * @returns {Buffer}
 */
export function busyboxImage({
  busybox = "/bin/busybox",
  tags = ["busybox:latest"],
  files = [],
  command = ["sh"],
  entrypoint,
  architecture = ARCHITECTURES[process.arch] ?? process.arch,
} = {}) {
  const mtime = Math.floor(statSync(busybox).mtimeMs / 1000);
  const added = files.map(({ name, mode, content }) => ({
    name,
    type: /** @type {const} */ ("file"),
    mode,
    content: Buffer.from(content),
  }));
  const names = new Set(files.map(({ name }) => name));
  const own = rootFiles(busybox).filter(({ name }) => !names.has(name));
  const layer = tarOf([...own, ...foldersOf(files), ...added], mtime);
  const created = new Date(mtime * 1000).toISOString();
  const config = JSON.stringify({
    architecture,
    os: "linux",
    created,
    config: {
      Env: ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
      Cmd: command,
      ...(entrypoint && { Entrypoint: entrypoint }),
    },
    rootfs: { type: "layers", diff_ids: [`sha256:${sha256(layer)}`] },
    history: [
      { created, created_by: "busybox-static" },
      { created, created_by: `CMD ${JSON.stringify(command)}`, empty_layer: true },
    ],
  });
  const configName = `${sha256(config)}.json`;
  const layerName = `${sha256(layer)}/layer.tar`;
  const manifest = [{ Config: configName, RepoTags: tags, Layers: [layerName] }];
  /** @param {string} name @param {Buffer | string} content @returns {TarEntry} */
  const file = (name, content) => ({ name, type: "file", mode: 0o644, content: Buffer.from(content) });
  return tarOf(
    [file(layerName, layer), file(configName, config), file("manifest.json", JSON.stringify(manifest))],
    mtime,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      output: { type: "string", short: "o" },
      tag: { type: "string", multiple: true },
      busybox: { type: "string" },
    },
  });
  const { output, tag, busybox } = values;
  const archive = busyboxImage({ ...(busybox ? { busybox } : {}), ...(tag ? { tags: tag } : {}) });
  if (output) writeFileSync(output, archive);
  else process.stdout.write(archive);
}
