import type { HostConfig } from "../../records/config.ts";

/**
 * The options of a tmpfs that moby takes (`volume/mounts/linux_parser.go`, `ValidateTmpfsMountOptions`), but for `bind`, `rbind` and
 * `remount`, which would make another mount than a tmpfs.
 */
const FLAGS: ReadonlySet<string> = new Set([
  ...["defaults", "ro", "rw", "suid", "nosuid", "dev", "nodev", "exec", "noexec", "sync", "async", "dirsync"],
  ...["mand", "nomand", "atime", "noatime", "diratime", "nodiratime", "relatime", "norelatime"],
  ...["strictatime", "nostrictatime"],
]);

const VALUES: Readonly<Record<string, RegExp>> = {
  size: /^\d+[kmg%]?$/i,
  nr_blocks: /^\d+[kmg]?$/i,
  nr_inodes: /^\d+[kmg]?$/i,
  mode: /^[0-7]{1,5}$/,
  uid: /^\d+$/,
  gid: /^\d+$/,
  mpol: /^[a-z]+([:=][\w,:=-]+)?$/,
};

function isOption(text: string): boolean {
  const [, name = "", value = ""] = /^([a-z_]+)=(.*)$/s.exec(text) ?? [];
  return name === "" ? FLAGS.has(text) : Object.hasOwn(VALUES, name) && VALUES[name]?.test(value) === true;
}

/** Returns dockerd's message for an option that a tmpfs does not have; undefined if all are known. */
export function validateTmpfs({ Tmpfs }: Pick<HostConfig, "Tmpfs">): string | undefined {
  const unknown = Object.values(Tmpfs ?? {})
    .flatMap((options) => (options === "" ? [] : options.split(",")))
    .find((option) => !isOption(option));
  return unknown === undefined ? undefined : `Invalid tmpfs option ${JSON.stringify(unknown)}`;
}
