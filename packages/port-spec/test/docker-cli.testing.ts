import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EnginePorts } from "../src/index.ts";

/** What the CLI made of `-p` arguments: the ports of the body it sent, or what it printed instead. */
export type CliOutcome = { readonly ports: EnginePorts } | { readonly refusal: string };

/** The real docker CLI in front of an engine that only records. */
export interface RecordedCli {
  /** Its major version, such as 28. */
  readonly major: number;
  create(specs: readonly string[]): Promise<CliOutcome>;
  close(): Promise<void>;
}

/** Starts the recording engine on a socket of its own. Each call to `create` runs one `docker create`. */
export async function startRecordedCli(): Promise<RecordedCli> {
  const folder = await mkdtemp(join(tmpdir(), "port-spec-cli-"));
  const socket = join(folder, "engine.sock");
  const bodies = new Map<string, EnginePorts>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const name = new URL(request.url ?? "", "http://engine").searchParams.get("name");
      response.setHeader("Api-Version", "1.49").setHeader("Content-Type", "application/json");
      if (name === null) return response.end("OK");
      const body = JSON.parse(Buffer.concat(chunks).toString());
      bodies.set(name, { ExposedPorts: body.ExposedPorts, PortBindings: body.HostConfig.PortBindings });
      return response.writeHead(201).end(JSON.stringify({ Id: name, Warnings: [] }));
    });
  });
  await new Promise<void>((listening) => server.listen(socket, listening));

  const env = { PATH: process.env.PATH, DOCKER_HOST: `unix://${socket}`, DOCKER_CONFIG: folder };
  const { stdout } = await run("docker", ["--version"], env);
  let calls = 0;
  return {
    major: Number(/version (\d+)/.exec(stdout)?.[1]),
    async create(specs) {
      const name = `call-${++calls}`;
      const flags = specs.map((spec) => `--publish=${spec}`);
      const { stderr } = await run("docker", ["create", "--name", name, ...flags, "image"], env);
      const ports = bodies.get(name);
      bodies.delete(name);
      return ports === undefined ? { refusal: stderr.replace(/\n+Run 'docker create .*$/s, "") } : { ports };
    },
    async close() {
      await new Promise((closed) => server.close(closed));
      await rm(folder, { recursive: true });
    },
  };
}

interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, whatever its exit code, and gives what it printed. */
function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Printed> {
  return new Promise((done, failed) => {
    execFile(program, args, { env }, (error, stdout, stderr) => {
      if (error && typeof error.code === "string") failed(error);
      else done({ stdout, stderr });
    });
  });
}
