import type { Result } from "@berth/port-spec";
import { err, ok } from "@berth/port-spec";
import type { IndexEntry, Platform } from "./manifest.ts";

const ARCHITECTURES: Readonly<Record<string, string>> = {
  x64: "amd64",
  x86_64: "amd64",
  "x86-64": "amd64",
  ia32: "386",
  i386: "386",
  aarch64: "arm64",
  armhf: "arm",
  armel: "arm",
};

/** The names of one part alone (containerd `platforms.Parse`). */
const SYSTEMS = new Set(
  "aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos".split(
    " ",
  ),
);
const KNOWN_ARCHITECTURES = new Set(
  "386 amd64 amd64p32 arm armbe arm64 arm64be ppc64 ppc64le loong64 mips mipsle mips64 mips64le mips64p32 mips64p32le ppc riscv riscv64 s390 s390x sparc sparc64 wasm".split(
    " ",
  ),
);

/** Normalises like containerd's `platforms` package: Go's names, and no variant if it is the architecture's only one. */
function normalise({ os, architecture, variant }: Platform): Platform {
  const lower = architecture.toLowerCase();
  const name = ARCHITECTURES[lower] ?? lower;
  const implied = name === "arm64" ? "v8" : name === "arm" ? "v7" : undefined;
  const own = variant === "" ? undefined : variant;
  const shown = own === implied && name !== "arm" ? undefined : (own ?? (name === "arm" ? implied : undefined));
  return { os: os.toLowerCase(), architecture: name, ...(shown === undefined ? {} : { variant: shown }) };
}

/** The platform of this machine, from Node's `process.arch`. */
export function platformOf(arch: string): Platform {
  return normalise({ os: "linux", architecture: arch });
}

/** Parses `--platform`: `linux/arm64/v8`, or just an architecture, or just an operating system. */
export function parsePlatform(text: string, own: Platform): Result<Platform, string> {
  const parts = text.split("/");
  if (parts.length > 3 || parts.some((part) => !/^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(part))) {
    return err(`"${text}": invalid platform; should be os/architecture[/variant], for example linux/amd64`);
  }
  const [first = "", architecture, variant] = parts;
  if (architecture !== undefined) return ok(normalise({ os: first, architecture, variant }));
  const system = first.toLowerCase();
  if (SYSTEMS.has(system)) return ok(normalise({ ...own, os: system }));
  const platform = normalise({ os: "linux", architecture: first });
  return KNOWN_ARCHITECTURES.has(platform.architecture)
    ? ok(platform)
    : err(`"${text}": unknown operating system or architecture: invalid argument`);
}

/** Formats a platform: `linux/arm64/v8`. */
export function formatPlatform({ os, architecture, variant }: Platform): string {
  return [os, architecture, variant].filter((part) => part !== undefined && part !== "").join("/");
}

/** An Arm variant also runs images of lower variants, down to v5. */
function armVersion(variant: string | undefined): number {
  return Number(/^v([5-8])$/.exec(variant ?? "")?.[1] ?? 7);
}

function fitness(wished: Platform, offered: Platform): number {
  if (wished.os !== offered.os || wished.architecture !== offered.architecture) return -1;
  if (wished.architecture === "arm") {
    const version = armVersion(offered.variant);
    return version <= armVersion(wished.variant) ? version : -1;
  }
  return wished.variant === offered.variant
    ? 1
    : offered.variant === undefined || wished.variant === undefined
      ? 0
      : -1;
}

/** Whether an image for `offered` runs on `wished`. */
export function platformMatches(wished: Platform, offered: Platform): boolean {
  return fitness(normalise(wished), normalise(offered)) >= 0;
}

/** The best match of an index; entries without a platform match only if no other does. */
export function choosePlatform<T extends IndexEntry>(entries: readonly T[], wished: Platform): T | undefined {
  const normal = normalise(wished);
  const ranked = entries
    .filter(({ annotations }) => annotations?.["vnd.docker.reference.type"] === undefined)
    .map((entry) => ({ entry, fit: entry.platform ? fitness(normal, normalise(entry.platform)) : -0.5 }))
    .filter(({ fit }) => fit > -1)
    .sort((a, b) => b.fit - a.fit);
  return ranked[0]?.entry;
}
