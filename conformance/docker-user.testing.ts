import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const COMPOSE_OF_TODAY = resolve(import.meta.dirname, "../.cache/clients/usr/bin/docker-compose");

/** How a command ended, and what it said. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The Docker CLI and docker-compose over TCP as the user of a token; as nobody without one. */
export interface DockerUser {
  run(...args: readonly string[]): Promise<Ran>;
  /** The same without waiting for its end. */
  open(...args: readonly string[]): ChildProcess;
  /** `docker-compose` with further variables of the environment. */
  compose(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ran>;
  /** The same with Debian sid's docker-compose, which `scripts/reference.sh clients` unpacks. */
  composeOfToday(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ran>;
  close(): void;
}

/** A client with its own configuration, which carries the token. */
export function dockerAs(tcp: string, token: string | undefined): DockerUser {
  const config = mkdtempSync(join(tmpdir(), "berth-user-"));
  const headers = token === undefined ? {} : { HttpHeaders: { Authorization: `Bearer ${token}` } };
  writeFileSync(join(config, "config.json"), JSON.stringify(headers), { mode: 0o600 });
  const execute = (program: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> =>
    new Promise((settle) => {
      execFile(program, args, { env: { ...process.env, ...env } }, (fault, stdout, stderr) =>
        settle({ code: fault === null ? 0 : Number(fault.code ?? 1), stdout: stdout.trim(), stderr: stderr.trim() }),
      );
    });
  return {
    run: (...args) => execute("docker", ["--config", config, "-H", tcp, ...args], {}),
    open: (...args) => spawn("docker", ["--config", config, "-H", tcp, ...args], { stdio: ["pipe", "pipe", "pipe"] }),
    compose: (env, ...args) =>
      execute("docker-compose", ["--no-ansi", ...args], { DOCKER_HOST: tcp, DOCKER_CONFIG: config, ...env }),
    composeOfToday: (env, ...args) =>
      execute(COMPOSE_OF_TODAY, args, { DOCKER_HOST: tcp, DOCKER_CONFIG: config, ...env }),
    close: () => rmSync(config, { recursive: true, force: true }),
  };
}
