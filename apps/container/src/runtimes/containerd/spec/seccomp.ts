import { EngineError } from "../../../engine/errors.ts";

/** A profile in Docker's form, which the runtime's form is filtered from. */
interface Profile {
  readonly defaultAction: string;
  readonly defaultErrnoRet?: number;
  readonly architectures?: readonly string[] | null;
  readonly archMap?: readonly { readonly architecture: string; readonly subArchitectures: readonly string[] | null }[];
  readonly flags?: readonly string[];
  readonly listenerPath?: string;
  readonly syscalls?: readonly ProfileRule[] | null;
}

interface ProfileRule {
  readonly name?: string;
  readonly names?: readonly string[];
  readonly action: string;
  readonly errnoRet?: number;
  readonly args?: readonly Readonly<Record<string, unknown>>[] | null;
  readonly includes?: Condition;
  readonly excludes?: Condition;
}

interface Condition {
  readonly arches?: readonly string[];
  readonly caps?: readonly string[];
  /** `4.8` */
  readonly minKernel?: string;
}

export interface SeccompFacts {
  /** Go's name: amd64, arm64, … */
  readonly architecture: string;
  readonly capabilities: readonly string[];
  /** `[major, minor]` */
  readonly kernel: readonly [number, number];
}

const NATIVE_ARCHITECTURE: Readonly<Record<string, string>> = {
  amd64: "SCMP_ARCH_X86_64",
  arm64: "SCMP_ARCH_AARCH64",
  arm: "SCMP_ARCH_ARM",
  386: "SCMP_ARCH_X86",
  ppc64le: "SCMP_ARCH_PPC64LE",
  s390x: "SCMP_ARCH_S390X",
  riscv64: "SCMP_ARCH_RISCV64",
};

/**
 * Nobody's programs are x32, and kernels have it off unless booted otherwise; but compiling the filter for it, too, takes
 * libseccomp 20 ms of each start.
 */
const UNUSED = "SCMP_ARCH_X32";

/** The `linux.seccomp` of the OCI spec from a profile, by the rules of moby's `profiles/seccomp`. */
export function seccompOf(json: string, facts: SeccompFacts): object {
  const profile = parse(json);
  const native = NATIVE_ARCHITECTURE[facts.architecture];
  const mapped = profile.archMap?.find(({ architecture }) => architecture === native);
  return {
    defaultAction: profile.defaultAction,
    ...(profile.defaultErrnoRet === undefined ? {} : { defaultErrnoRet: profile.defaultErrnoRet }),
    architectures: mapped
      ? [mapped.architecture, ...(mapped.subArchitectures ?? []).filter((name) => name !== UNUSED)]
      : (profile.architectures ?? undefined),
    ...(profile.flags ? { flags: profile.flags } : {}),
    syscalls: (profile.syscalls ?? [])
      .filter(({ includes = {}, excludes = {} }) => included(includes, facts) && !excluded(excludes, facts))
      .map(({ name, names = [], action, errnoRet, args }) => ({
        names: name === undefined ? names : [name, ...names],
        action,
        ...(errnoRet === undefined ? {} : { errnoRet }),
        ...(args?.length ? { args } : {}),
      })),
  };
}

function included({ arches, caps, minKernel }: Condition, facts: SeccompFacts): boolean {
  return (
    (!arches?.length || arches.includes(facts.architecture)) &&
    (caps ?? []).every((name) => facts.capabilities.includes(name)) &&
    (minKernel === undefined || atLeast(facts.kernel, minKernel))
  );
}

function excluded({ arches, caps, minKernel }: Condition, facts: SeccompFacts): boolean {
  return (
    (arches?.includes(facts.architecture) ?? false) ||
    (caps ?? []).some((name) => facts.capabilities.includes(name)) ||
    (minKernel !== undefined && atLeast(facts.kernel, minKernel))
  );
}

function atLeast([major, minor]: readonly [number, number], wanted: string): boolean {
  const [wantedMajor = 0, wantedMinor = 0] = wanted.split(".").map(Number);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

function parse(json: string): Profile {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch (cause) {
    throw new EngineError("invalid", "decoding seccomp profile failed: it is no JSON", { cause });
  }
  const profile = parsed as Profile | null;
  if (typeof profile?.defaultAction !== "string" || !isListOrAbsent(profile.syscalls)) {
    throw new EngineError(
      "invalid",
      "decoding seccomp profile failed: it needs a defaultAction and a list of syscalls",
    );
  }
  return profile;
}

function isListOrAbsent(value: unknown): boolean {
  return value === undefined || value === null || Array.isArray(value);
}
