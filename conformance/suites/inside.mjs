import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";

/**
 * An engine under test: the command that enters its network namespace, and the Docker CLI that speaks to it.
 * @typedef {{ name: string, socket: string, enter: readonly string[], docker: (...args: string[]) => Promise<string>, close: () => Promise<void> }} Engine
 * @typedef {Map<string, { passed: boolean, message: string }>} Outcomes by the test's name; what was skipped is not in it
 */

/**
 * Runs a command in the engine's network namespace, where published ports are; its output goes to the log.
 * @param {Engine} engine
 * @param {{ command: readonly string[], cwd: string, env?: Record<string, string>, log: string, seconds: number }} what
 * @returns {Promise<string>} how it ended, in words
 */
export async function inside(engine, { command, cwd, env = {}, log, seconds }) {
  const output = openSync(log, "w");
  const [program = "", ...args] = [...engine.enter, ...command];
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, DOCKER_HOST: `unix://${engine.socket}`, ...env },
    stdio: ["ignore", output, output],
    timeout: seconds * 1000,
    killSignal: "SIGKILL",
  });
  closeSync(output);
  const [code, signal] = await once(child, "exit");
  return signal === null ? `exit code ${code}` : `ended by ${signal}, after ${seconds} s at most`;
}
