import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants, type FileHandle, mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Takes a folder (made when absent, mode 0700 then) for this process alone, until released or until the process ends, however it ends.
 * Throws at once where another process has it.
 *
 * The lock is the kernel's on the open file `lock` (flock(2)): it knows neither stale files nor races, and holds across network
 * namespaces.
 * @param what has the folder, for the message: "a directory".
 */
export async function holdFolder(folder: string, what: string): Promise<{ release(): Promise<void> }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "lock");
  const file = await openLocked(path);
  if (file === undefined) {
    const holder = (await readFile(path, "utf8")).trim();
    throw new Error(`${folder} is in use: ${what} runs on it already${holder === "" ? "" : ` (process ${holder})`}`);
  }
  try {
    await file.truncate();
    await file.write(`${process.pid}\n`, 0);
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
  return { release: () => file.close() };
}

/** The open file, made when absent and locked; undefined where another process has the lock. What is in it stays. */
function openLocked(path: string): Promise<FileHandle | undefined> {
  return process.platform === "darwin" ? openLockedAtOnce(path) : openThenLock(path);
}

/** macOS locks with the opening itself (open(2)); Node has no name for that flag. */
const O_EXLOCK = 0x20;

async function openLockedAtOnce(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | O_EXLOCK, 0o600);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EAGAIN") return undefined;
    throw thrown;
  }
}

/** Node has no flock(2), but util-linux has a command: a file that it inherits is the same open file, and stays locked after it. */
async function openThenLock(path: string): Promise<FileHandle | undefined> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    const flock = spawn("flock", ["--exclusive", "--nonblock", "3"], {
      stdio: ["ignore", "ignore", "ignore", file.fd],
    });
    const [code] = await once(flock, "close").catch((cause) => {
      throw new Error("the command flock is needed to lock a state folder: install util-linux", { cause });
    });
    if (code === 0) return file;
    if (code !== 1) throw new Error(`the state folder cannot be locked: flock ended with ${code}`);
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
  await file.close();
  return undefined;
}
