import { spawn } from "node:child_process";
import { once } from "node:events";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { join } from "node:path";

/**
 * Takes a folder (made when absent, mode 0700 then) for this process alone, until released or until the process ends, however it ends.
 * Throws at once where another process has it.
 *
 * The lock is the kernel's on the open file `lock` (flock(2)), which the command `flock` of util-linux takes for us: a file that it
 * inherits is the same open file, so that its lock stays ours when it has ended. It knows neither stale files nor races, and holds
 * across network namespaces.
 * @param what has the folder, for the message: "the directory".
 */
export async function holdFolder(folder: string, what: string): Promise<{ release(): Promise<void> }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Neither truncated nor removed: whoever holds it has written its process id there.
  const file = await open(join(folder, "lock"), "a+", 0o600);
  try {
    if (!(await lock(file))) {
      const holder = (await file.readFile("utf8")).trim();
      throw new Error(`${folder} is in use: ${what} runs on it already${holder === "" ? "" : ` (process ${holder})`}`);
    }
    await file.truncate();
    await file.write(`${process.pid}\n`);
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
  return { release: () => file.close() };
}

/** Whether the open file is locked now; false where another process has it. */
async function lock(file: FileHandle): Promise<boolean> {
  const flock = spawn("flock", ["--exclusive", "--nonblock", "3"], { stdio: ["ignore", "ignore", "ignore", file.fd] });
  const [code] = await once(flock, "close").catch((cause) => {
    throw new Error("the command flock is needed to lock a state folder: install util-linux", { cause });
  });
  if (code === 0) return true;
  if (code === 1) return false;
  throw new Error(`the state folder cannot be locked: flock ended with ${code}`);
}
