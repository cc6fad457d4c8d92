import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { CommandError, runCommand } from "../command.ts";

/** The kernel's packet filter. */
export interface Nft {
  /** Applies nft commands, each on one line, as one transaction: all or nothing. Calls take effect in their order. */
  apply(commands: readonly string[]): Promise<void>;
  /** Ends the process behind it; the kernel's state stays. */
  close(): Promise<void>;
}

/** A command whose only effect is one line on stdout: what came before it belongs to the transaction before it. */
const MARKER = "describe tcp dport";
const MARKER_OUTPUT = /^payload expression, .*\n/m;
/** The line editor inside nft reads a byte at a time, so long scripts go faster through a process of their own. */
const LONGEST_LINE = 8_192;
/** nft keeps a history, about 300 bytes a transaction. */
const TRANSACTIONS_PER_PROCESS = 10_000;
const ANSWER_WITHIN_MS = 10_000;

type Session = ChildProcessByStdio<Writable, Readable, null>;

/**
 * Opens the packet filter through one long-lived `nft -i`: a transaction takes 1 to 1.5 ms there, and 4 to 20 ms through a process
 * of its own. Where that process dies or falls silent the transaction is applied again by a process of its own, so commands
 * must be such that applying them twice is harmless or fails without effect.
 */
export function openNft(): Nft {
  let session: Session | undefined;
  let transactions = 0;
  let queue: Promise<unknown> = Promise.resolve();

  const end = (): Promise<void> => {
    const ending = session;
    session = undefined;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
      ending.once("close", () => resolve());
      ending.stdin.end();
    });
  };

  const begin = (): Session => {
    // One pipe for both streams keeps errors and markers in order.
    const begun = spawn("sh", ["-c", "exec nft -i 2>&1"], { stdio: ["pipe", "pipe", "inherit"] });
    begun.stdin.on("error", () => undefined);
    begun.on("error", () => undefined);
    begun.once("close", () => {
      if (session === begun) session = undefined;
    });
    begun.stdout.setEncoding("utf8");
    // It must not keep the service alive: between transactions it has no work.
    begun.unref();
    for (const pipe of [begun.stdin, begun.stdout]) (pipe as Socket).unref();
    transactions = 0;
    return begun;
  };

  const converse = (line: string): Promise<string> => {
    session ??= begin();
    const current = session;
    return new Promise((resolve, reject) => {
      let output = "";
      const settle = (outcome: () => void) => {
        clearTimeout(timer);
        current.stdout.off("data", read);
        current.off("close", lost);
        outcome();
      };
      const lost = () => settle(() => reject(new SessionLost()));
      const read = (text: string) => {
        output += text;
        const found = MARKER_OUTPUT.exec(output);
        if (found !== null) settle(() => resolve(output.slice(0, found.index)));
      };
      const timer = setTimeout(() => current.kill("SIGKILL"), ANSWER_WITHIN_MS);
      current.stdout.on("data", read);
      current.once("close", lost);
      current.stdin.write(`${line}\n${MARKER}\n`);
    });
  };

  const transact = async (commands: readonly string[]): Promise<void> => {
    const line = commands.join("; ");
    if (line.length > LONGEST_LINE) {
      await runCommand("nft", ["-f", "-"], `${commands.join("\n")}\n`);
      return;
    }
    try {
      const output = await converse(line);
      if (output !== "") throw new CommandError("nft", 1, output);
    } catch (thrown) {
      if (!(thrown instanceof SessionLost)) throw thrown;
      await runCommand("nft", ["-f", "-"], `${commands.join("\n")}\n`);
    }
    if (++transactions >= TRANSACTIONS_PER_PROCESS) await end();
  };

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = queue.then(work, work);
    queue = done.catch(() => undefined);
    return done;
  };

  return {
    apply: (commands) => (commands.length === 0 ? Promise.resolve() : inTurn(() => transact(commands))),
    close: () => inTurn(end),
  };
}

class SessionLost extends Error {}
