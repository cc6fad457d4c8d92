import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { join } from "node:path";
import { getSystemErrorName } from "node:util";
import { NATIVE_DIR } from "./native-dir.ts";

export interface RunOptions {
  /** This service's, unless told. */
  readonly cwd?: string;
  /** This service's, unless told. */
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input. */
  readonly input?: string;
  /** Most bytes of each output; a program that has more to say is killed. */
  readonly maxBytes?: number;
  /** Milliseconds after which the program is killed. */
  readonly timeout?: number;
  /** Kills the program when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

export interface ProgramOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that could not be run, or that did not end with 0. */
export class ProgramError extends Error implements ProgramOutput {
  override readonly name = "ProgramError";
  readonly stdout: string;
  readonly stderr: string;
  /** The exit code; undefined where the program did not run, or ended by a signal. */
  readonly code: number | undefined;
  /** What this side killed it for. */
  readonly killed: "output" | "time" | "signal" | undefined;

  constructor(message: string, { stdout, stderr, code, killed }: Ending) {
    super(message);
    this.stdout = stdout;
    this.stderr = stderr;
    this.code = code;
    this.killed = killed;
  }
}

type Ending = ProgramOutput & Pick<ProgramError, "code" | "killed">;

/** As `native/launcher.c` has them. */
const REQUEST = { run: 0, kill: 1, change: 2 } as const;
const ANSWER = { stdout: 1, stderr: 2, end: 3 } as const;
const INHERITED = 0xffffffff;
const SIGKILL = 9;
const MOST_BYTES = 1 << 20;

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, 4 * index);
  return bytes;
}

function framed(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([numbers(parts.reduce((sum, { length }) => sum + length, 0)), ...parts]);
}

interface Running {
  readonly program: string;
  readonly outputs: Readonly<Record<"stdout" | "stderr", Buffer[]>>;
  readonly maxBytes: number;
  killed: ProgramError["killed"];
  /** Ends the waiting for a reason to kill it. */
  release(): void;
  resolve(output: ProgramOutput): void;
  reject(fault: Error): void;
}

/** `native/launcher`, which is started at the first use, and again after its end. */
class Launcher {
  readonly #running = new Map<number, Running>();
  #process: ChildProcess | undefined;
  #pending: Buffer = Buffer.alloc(0);
  #last = 0;

  run(program: string, args: readonly string[], options: RunOptions): Promise<ProgramOutput> {
    const { cwd = "", env, input = "" } = options;
    const variables = env === undefined ? [] : Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const texts = [cwd, program, ...args, ...variables];
    if (texts.some((text) => text.includes("\0")))
      return Promise.reject(new ProgramError(`${program}: an argument has a NUL byte`, NO_ENDING));
    const counts = numbers(args.length + 1, env === undefined ? INHERITED : variables.length);
    return this.#ask(program, REQUEST.run, [counts, Buffer.from(`${texts.join("\0")}\0${input}`)], options);
  }

  async change(messages: Buffer): Promise<void> {
    await this.#ask("nfnetlink", REQUEST.change, [messages], {});
  }

  #ask(program: string, kind: number, content: readonly Buffer[], options: RunOptions): Promise<ProgramOutput> {
    const { maxBytes = MOST_BYTES, signal } = options;
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      const release = this.#killLater(id, options);
      const outputs = { stdout: [], stderr: [] };
      this.#running.set(id, { program, outputs, maxBytes, killed: undefined, release, resolve, reject });
      this.#send(framed(numbers(id, kind), ...content));
      if (signal?.aborted) this.#kill(id, "signal");
    });
  }

  #killLater(id: number, { timeout, signal }: RunOptions): () => void {
    const timer = timeout === undefined ? undefined : setTimeout(() => this.#kill(id, "time"), timeout).unref();
    const stop = () => this.#kill(id, "signal");
    signal?.addEventListener("abort", stop, { once: true });
    return () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    };
  }

  #send(request: Buffer): void {
    this.#process ??= this.#start();
    this.#hold();
    this.#process.stdin?.write(request);
  }

  #kill(id: number, killed: NonNullable<ProgramError["killed"]>): void {
    const running = this.#running.get(id);
    if (running === undefined || running.killed !== undefined) return;
    running.killed = killed;
    this.#send(framed(numbers(id, REQUEST.kill, SIGKILL)));
  }

  #start(): ChildProcess {
    const begun = spawn(join(NATIVE_DIR, "launcher"), [], { cwd: "/", stdio: ["pipe", "pipe", "inherit"] });
    begun.stdin.on("error", () => undefined);
    begun.stdout.on("data", (bytes: Buffer) => this.#take(bytes));
    const lost = (reason: string) => {
      if (this.#process !== begun) return;
      this.#process = undefined;
      this.#pending = Buffer.alloc(0);
      for (const [id, { program }] of this.#running)
        this.#settle(id, ({ reject }) => reject(new ProgramError(`${program}: ${reason}`, NO_ENDING)));
    };
    begun.once("error", ({ message }) => lost(`native/launcher is not there: native/build.sh builds it: ${message}`));
    begun.once("close", () => lost("native/launcher ended before it"));
    return begun;
  }

  /** It keeps this process alive only while a program runs. */
  #hold(): void {
    const [child, action] = [this.#process, this.#running.size > 0 ? "ref" : "unref"] as const;
    for (const handle of [child, child?.stdin as Socket | undefined, child?.stdout as Socket | undefined])
      handle?.[action]();
  }

  #take(bytes: Buffer): void {
    this.#pending = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
    while (this.#pending.length >= 4) {
      const end = 4 + this.#pending.readUInt32LE(0);
      if (this.#pending.length < end) return;
      this.#hear(this.#pending.subarray(4, end));
      this.#pending = this.#pending.subarray(end);
    }
  }

  #hear(answer: Buffer): void {
    const [id, kind, content] = [answer.readUInt32LE(0), answer.readUInt32LE(4), answer.subarray(8)];
    const running = this.#running.get(id);
    if (running === undefined) return;
    if (kind === ANSWER.end) {
      this.#end(id, content);
      return;
    }
    const parts = running.outputs[kind === ANSWER.stdout ? "stdout" : "stderr"];
    if (running.killed === "output") return;
    parts.push(content);
    if (parts.reduce((sum, { length }) => sum + length, 0) > running.maxBytes) this.#kill(id, "output");
  }

  #end(id: number, content: Buffer): void {
    const [exit, signal, errno] = [content.readInt32LE(0), content.readInt32LE(4), content.readInt32LE(8)];
    this.#settle(id, ({ program, outputs, killed, resolve, reject }) => {
      const [stdout, stderr] = [Buffer.concat(outputs.stdout).toString(), Buffer.concat(outputs.stderr).toString()];
      if (exit === 0 && signal === 0 && errno === 0 && killed === undefined) return resolve({ stdout, stderr });
      const code = errno === 0 && signal === 0 ? exit : undefined;
      const how =
        errno !== 0 ? `failed with ${getSystemErrorName(-errno)}` : `ended with ${code ?? `signal ${signal}`}`;
      reject(new ProgramError(`${program} ${how}: ${stderr.trim()}`, { stdout, stderr, code, killed }));
    });
  }

  #settle(id: number, settle: (running: Running) => void): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    running.release();
    this.#running.delete(id);
    this.#hold();
    settle(running);
  }
}

const NO_ENDING: Ending = { stdout: "", stderr: "", code: undefined, killed: undefined };

const LAUNCHER = new Launcher();

/**
 * Runs a program to its end through `native/launcher`. A `spawn` of Node's own forks this whole process and stops the event loop
 * until the child executes the program: some milliseconds, and on a busy host a tenth of a second.
 *
 * Throws ProgramError unless it ends with 0.
 */
export function runProgram(program: string, args: readonly string[], options: RunOptions = {}): Promise<ProgramOutput> {
  return LAUNCHER.run(program, args, options);
}

/**
 * Sends messages of nfnetlink to this network namespace's kernel, through `native/launcher`. At least one has to ask for an acknowledgement.
 *
 * Throws ProgramError with the kernel's error, which has made nothing of a batch then, or where nobody knows what became of it.
 */
export function changePacketFilter(messages: Buffer): Promise<void> {
  return LAUNCHER.change(messages);
}
