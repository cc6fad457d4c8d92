import { err, ok, type Result } from "@berth/port-spec";
import { parseGoBool } from "../../engine/go-bool.ts";

/** `HostConfig.SecurityOpt`, read. */
export interface SecurityOptions {
  readonly noNewPrivileges: boolean;
  readonly writableCgroups: boolean;
  /** A seccomp profile as JSON, `unconfined` or `builtin`; undefined for the default. */
  readonly seccomp: string | undefined;
  /** The name of an AppArmor profile; undefined for none. */
  readonly apparmor: string | undefined;
  /** SELinux labels, such as `type:container_t`, and `disable`. */
  readonly labels: readonly string[];
}

const NO_OPTIONS: SecurityOptions = {
  noNewPrivileges: false,
  writableCgroups: false,
  seccomp: undefined,
  apparmor: undefined,
  labels: [],
};

function applied(options: SecurityOptions, key: string, value: string): SecurityOptions | undefined {
  const flag = parseGoBool(value);
  if (key === "label") return { ...options, labels: [...options.labels, value] };
  // Docker's name for no profile.
  if (key === "apparmor") return { ...options, apparmor: value === "unconfined" || value === "" ? undefined : value };
  if (key === "seccomp") return { ...options, seccomp: value };
  if (flag === undefined) return undefined;
  if (key === "no-new-privileges") return { ...options, noNewPrivileges: flag };
  return key === "writable-cgroups" ? { ...options, writableCgroups: flag } : undefined;
}

/** Parses security options; the last one of a kind wins. The error is Docker's message (moby `parseSecurityOpt`). */
export function parseSecurityOptions(texts: readonly string[] | null): Result<SecurityOptions, string> {
  let options = NO_OPTIONS;
  for (const text of texts ?? []) {
    if (text === "no-new-privileges") options = { ...options, noNewPrivileges: true };
    else if (text === "writable-cgroups") options = { ...options, writableCgroups: true };
    else if (text === "disable") options = { ...options, labels: [...options.labels, "disable"] };
    else {
      const separator = text.includes("=") ? "=" : ":";
      if (!text.includes(separator)) return err(`invalid --security-opt 1: ${JSON.stringify(text)}`);
      const at = text.indexOf(separator);
      const next = applied(options, text.slice(0, at), text.slice(at + 1));
      if (next === undefined) return err(`invalid --security-opt 2: ${JSON.stringify(text)}`);
      options = next;
    }
  }
  return ok(options);
}

/** The security options of a container, which were checked when it was created. */
export function securityOptionsOf({
  SecurityOpt,
}: {
  readonly SecurityOpt: readonly string[] | null;
}): SecurityOptions {
  const parsed = parseSecurityOptions(SecurityOpt);
  return parsed.ok ? parsed.value : NO_OPTIONS;
}
