import type { ExecRequest } from "../containers.ts";
import type { Container } from "../records/container.ts";
import type { ExecSpec, TerminalSize } from "../records/runtime.ts";
import { securityOptionsOf } from "../records/security-options.ts";
import { environmentOf, ulimitsOf } from "./to-spec.ts";

function nameOf(variable: string): string {
  return variable.split("=", 1)[0] ?? variable;
}

/** The spec of an exec: environment, user and directory default to the container's. `links` are the variables of its links. */
export function execSpecOf(
  container: Container,
  request: Pick<ExecRequest, "cmd" | "env" | "user" | "workingDir" | "tty" | "privileged" | "attachStdin">,
  { size, links = [] }: { readonly size?: TerminalSize | undefined; readonly links?: readonly string[] } = {},
): ExecSpec {
  const { hostConfig, config } = container;
  const inherited = environmentOf({ config: { ...config, Tty: request.tty } }, links);
  const named = new Set(request.env.map(nameOf));
  return {
    args: request.cmd,
    env: [...inherited.filter((variable) => !named.has(nameOf(variable))), ...request.env],
    cwd: request.workingDir || config.WorkingDir || "/",
    user: request.user || config.User,
    terminal: request.tty,
    stdin: request.attachStdin,
    privileged: request.privileged,
    container: {
      privileged: hostConfig.Privileged,
      capabilities: { add: hostConfig.CapAdd ?? [], drop: hostConfig.CapDrop ?? [] },
      noNewPrivileges: securityOptionsOf(hostConfig).noNewPrivileges,
      additionalGroups: hostConfig.GroupAdd ?? [],
      ulimits: ulimitsOf(hostConfig),
    },
    ...(size ? { size } : {}),
  };
}
