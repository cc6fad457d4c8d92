import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { Terminal } from "../context.ts";

const TIMEOUT_MS = 20_000;

/** Runs the Docker CLI of this machine. It takes its settings from the environment, but for the engine that it would talk to. */
export async function runDocker(args: readonly string[]): ReturnType<Terminal["docker"]> {
  const { DOCKER_HOST: _, DOCKER_CONTEXT: __, ...env } = process.env;
  const child = spawn("docker", args, { env, stdio: ["ignore", "pipe", "pipe"], timeout: TIMEOUT_MS });
  const code = new Promise<number | undefined>((resolve) => {
    child.once("error", () => resolve(undefined));
    child.once("close", (exit) => resolve(exit ?? 1));
  });
  const [output, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, output: `${output}${error}` };
}
