import { mkdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { ContainerFiles, FilePaths } from "../containers/records/files.ts";
import { EngineError } from "../engine/errors.ts";
import { NATIVE_DIR } from "./native-dir.ts";
import { PART_FAULTS } from "./part-faults.ts";
import { readResolvConf } from "./resolv-conf.ts";
import { resolveInRoot } from "./resolve-in-root.ts";
import { type ProgramError, runProgram } from "./run-program.ts";

const MOST_BYTES = 1 << 20;

/** Resolves the existing part of a missing path: the path would be created where that part leads. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(await realPath(folder), basename(path));
  }
}

/** The generated files of containers, in one directory per container below `root`. */
export function createContainerFiles(root: string): ContainerFiles {
  const pathsIn = (folder: string): FilePaths => ({
    hosts: `${folder}/hosts`,
    hostname: `${folder}/hostname`,
    resolvConf: `${folder}/resolv.conf`,
  });
  const paths: ContainerFiles["paths"] = (id) => pathsIn(`${root}/${id}`);
  let realRoot: Promise<string> | undefined;
  const write: ContainerFiles["write"] = async (id, contents) => {
    const { hosts, hostname, resolvConf } = paths(id);
    await mkdir(join(root, id), { recursive: true, mode: 0o710 });
    await Promise.all([
      writeFile(hosts, contents.hosts, { mode: 0o644 }),
      writeFile(hostname, contents.hostname, { mode: 0o644 }),
      writeFile(resolvConf, contents.resolvConf, { mode: 0o644 }),
    ]);
  };
  return {
    paths,
    realPaths: async (id) => {
      // No link is below the root.
      realRoot ??= realPath(root);
      return pathsIn(`${await realRoot}/${id}`);
    },
    write,
    change: async (id, change) => {
      const { hosts, hostname, resolvConf } = paths(id);
      const sizes = await Promise.all([hosts, hostname, resolvConf].map(async (path) => (await stat(path)).size));
      if (sizes.some((size) => size > MOST_BYTES)) return;
      const [hostsText, hostnameText, resolvConfText] = await Promise.all([
        readFile(hosts, "utf8"),
        readFile(hostname, "utf8"),
        readFile(resolvConf, "utf8"),
      ]);
      await write(id, change({ hosts: hostsText, hostname: hostnameText, resolvConf: resolvConfText }));
    },
    remove: (id) => rm(join(root, id), { recursive: true, force: true }),
    readHost: async () => {
      const text = (path: string) => readFile(path, "utf8").catch(() => "");
      const [hosts, resolvConf, sandboxResolvConf] = await Promise.all([
        text("/etc/hosts"),
        text("/etc/resolv.conf"),
        readResolvConf(),
      ]);
      return { hosts, resolvConf, sandboxResolvConf };
    },
    bindSource: async (path, { make }) => {
      if (await stat(path).catch(() => undefined)) return "there";
      if (!make) return "absent";
      await mkdir(path, { recursive: true });
      return "there";
    },
    realPath,
    makeFolder: async (rootfs, path) => {
      try {
        await mkdir(await resolveInRoot(rootfs, path), { recursive: true, mode: 0o755 });
      } catch (thrown) {
        const { code } = thrown as NodeJS.ErrnoException;
        if (code !== "EEXIST" && code !== "ENOTDIR") throw thrown;
        throw new EngineError("invalid", `Cannot mkdir: ${path} is not a directory`, { cause: thrown });
      }
    },
    populate: async (rootfs, path, { volume, subpath = "." }) => {
      const source = await resolveInRoot(rootfs, path);
      if (!(await stat(source).catch(() => undefined))?.isDirectory()) return;
      try {
        await runProgram(join(NATIVE_DIR, "pin"), ["fill", volume, subpath, source]);
      } catch (thrown) {
        const { code, stderr = "" } = thrown as Partial<ProgramError>;
        const fault = PART_FAULTS.get(code);
        if (fault === "not-found") return;
        // The copy says something of each file that it could not make.
        const [reason] = stderr.split("\n");
        if (!reason) throw thrown;
        throw new EngineError(fault ?? "failed", `failed to populate volume: ${reason}`, { cause: thrown });
      }
    },
  };
}
