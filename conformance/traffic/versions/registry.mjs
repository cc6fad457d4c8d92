import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

/**
 * Starts the real registry, on a port of the loopback that it chooses.
 * @param {string} folder keeps its files
 * @param {{ enter?: readonly string[] }} [options] words that enter a network namespace
 * @returns {Promise<{ address: string, close: () => void }>}
 */
export async function startRegistry(folder, { enter = [] } = {}) {
  const config = join(folder, "registry.yml");
  writeFileSync(
    config,
    `version: 0.1
log: {accesslog: {disabled: true}, level: info, formatter: json}
storage: {filesystem: {rootdirectory: ${join(folder, "registry")}}}
http: {addr: "127.0.0.1:0"}
`,
  );
  const [program, ...args] = [...enter, "docker-registry", "serve", config];
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
  const close = () => void child.kill("SIGKILL");
  const said = [];
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line);
    const [, address] = /listening on (127\.0\.0\.1:\d+)/.exec(line) ?? [];
    if (address === undefined) continue;
    child.stderr.resume();
    return { address, close };
  }
  throw new Error(`the registry did not start: ${said.join("\n")}`);
}
