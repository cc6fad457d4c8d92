import type { Terminal } from "../context.ts";

/** Begins the description of every context that the command makes, so that it changes no other. */
const MARK = "Berth place";

type Docker = Pick<Terminal, "docker" | "env">;

/** Whether there is a context of that name: none, a place's, or somebody else's; undefined without a Docker CLI. */
async function contextNamed({ docker }: Docker, name: string): Promise<"none" | "ours" | "other" | undefined> {
  const { code, output } = await docker(["context", "inspect", "--format", "{{.Metadata.Description}}", name]);
  if (code === undefined) return undefined;
  if (code !== 0) return "none";
  return output.startsWith(MARK) ? "ours" : "other";
}

/**
 * Writes a Docker context of the place's name and selects it.
 *
 * @returns what the user should know.
 */
export async function useContext(terminal: Docker, name: string, host: string, address: string): Promise<string> {
  const otherwise = `set DOCKER_HOST=${address} to work in it`;
  const known = await contextNamed(terminal, name);
  if (known === undefined) return `there is no docker command here; ${otherwise}`;
  if (known === "other") return `the docker context ${name} is no place's and stays as it is; ${otherwise}`;
  const { DOCKER_CERT_PATH: certs, DOCKER_HOST } = terminal.env;
  const tls = certs === undefined ? "" : `,ca=${certs}/ca.pem,cert=${certs}/cert.pem,key=${certs}/key.pem`;
  const verb = known === "ours" ? "update" : "create";
  const description = ["--description", `${MARK} on ${host}`];
  for (const line of [
    ["context", verb, ...description, "--docker", `host=${address}${tls}`, name],
    ["context", "use", name],
  ]) {
    const { code, output } = await terminal.docker(line);
    if (code !== 0) return `docker ${line.slice(0, 2).join(" ")} failed: ${output.trim()}; ${otherwise}`;
  }
  return DOCKER_HOST === undefined
    ? `the docker context ${name} is in use`
    : `the docker context ${name} is there, but DOCKER_HOST is set and wins: unset it`;
}

/** Removes the context of a place that is given back. */
export async function dropContext(terminal: Docker, name: string): Promise<void> {
  if ((await contextNamed(terminal, name)) === "ours") await terminal.docker(["context", "rm", "--force", name]);
}

/** Lines for a shell's `eval`, for a job that has no context. */
export function shellLines(address: string, { DOCKER_CERT_PATH: certs }: Terminal["env"]): string {
  const tls = certs === undefined ? "" : `export DOCKER_TLS_VERIFY=1\nexport DOCKER_CERT_PATH=${quoted(certs)}\n`;
  return `export DOCKER_HOST=${quoted(address)}\n${tls}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
