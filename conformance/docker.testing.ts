import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import type { Berth } from "./berth.testing.ts";

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A Docker CLI process at work, for what is watched while it goes on. */
export interface Running {
  /** Settles with all output so far once it holds `text`; rejects where the process ends first. */
  prints(text: string): Promise<string>;
  write(text: string): void;
  /** Ends what it reads. */
  end(): void;
  kill(): void;
  readonly ended: Promise<Ran>;
}

/** The unmodified Docker CLI, told by nothing but `DOCKER_HOST` where Berth is. */
export function dockerOf(berth: Pick<Berth, "socket">) {
  // Beside the socket, so that it goes with the Berth.
  const config = join(dirname(berth.socket), "docker-config");
  const env = { ...process.env, DOCKER_HOST: `unix://${berth.socket}`, DOCKER_CONFIG: config, TERM: "xterm" };

  const start = (command: string, args: readonly string[]): Running => {
    const child = spawn(command, args, { env, stdio: ["pipe", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    const watchers = new Set<() => void>();
    const watched = (take: (text: string) => void) => (data: Buffer) => {
      take(data.toString());
      for (const look of watchers) look();
    };
    child.stdout.on(
      "data",
      watched((text) => (stdout += text)),
    );
    child.stderr.on(
      "data",
      watched((text) => (stderr += text)),
    );
    // The CLI may end while we still write.
    child.stdin.on("error", () => undefined);
    const ended = new Promise<Ran>((settle, reject) => {
      child.on("error", reject);
      child.on("close", (code) => {
        settle({ code, stdout, stderr });
        for (const look of watchers) look();
      });
    });
    return {
      ended,
      write: (text) => child.stdin.write(text),
      end: () => child.stdin.end(),
      kill: () => child.kill("SIGKILL"),
      prints: (text) =>
        new Promise((settle, reject) => {
          const look = () => {
            if (stdout.includes(text)) settle(stdout);
            else if (child.exitCode !== null) reject(new Error(`ended without "${text}": ${stdout}${stderr}`));
            else return;
            watchers.delete(look);
          };
          watchers.add(look);
          look();
        }),
    };
  };

  return {
    start: (...args: readonly string[]): Running => start("docker", args),
    /** With a terminal of its own, as a person at a shell has it. */
    atTerminal: (command: string): Running => start("script", ["-qec", command, "/dev/null"]),
    /** Runs to the end, whatever the exit code. */
    async try(...args: readonly string[]): Promise<Ran> {
      const running = start("docker", args);
      return running.ended;
    },
    /** Runs to the end and gives the trimmed standard output; rejects where the exit code is not 0. */
    async run(...args: readonly string[]): Promise<string> {
      const { code, stdout, stderr } = await start("docker", args).ended;
      if (code !== 0) throw new Error(`docker ${args.join(" ")} ended with ${code}: ${stderr}`);
      return stdout.trim();
    },
  };
}

export type Docker = ReturnType<typeof dockerOf>;

/** The command of a web server on container port 80 whose page is `text`. */
export function serve(text: string): readonly string[] {
  return ["sh", "-c", `mkdir -p /www && echo ${text} > /www/index.html && exec httpd -f -p 80 -h /www`];
}
