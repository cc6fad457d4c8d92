import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants, type FileHandle, mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Locks a folder for this process until it is released or the process ends, however it ends. Creates a missing folder with mode 0700.
 * Throws immediately if another process has the lock.
 *
 * The lock is the kernel's lock on the open file `lock` (flock(2)), so it never goes stale, has no races, and works across network
 * namespaces.
 * @param what names the service in the message: "a directory".
 */
export async function holdFolder(folder: string, what: string): Promise<{ release(): Promise<void> }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "lock");
  const file = await openLocked(path);
  if (file === undefined) {
    const holder = (await readFile(path, "utf8")).trim();
    throw new Error(`${folder} is in use: ${what} runs on it already${holder === "" ? "" : ` (process ${holder})`}`);
  }
  await file.truncate();
  // The id is only for messages: a full disk must not keep the service from its folder.
  await file.write(`${process.pid}\n`, 0).catch(() => {});
  return { release: () => file.close() };
}

/** Opens the file, created if missing, and locks it; undefined if another process has the lock. Keeps the content. */
function openLocked(path: string): Promise<FileHandle | undefined> {
  return process.platform === "darwin" ? openLockedAtOnce(path) : openThenLock(path);
}

/** macOS can lock a file as it opens it (open(2)); Node has no constant for that flag. */
const O_EXLOCK = 0x20;

async function openLockedAtOnce(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | O_EXLOCK, 0o600);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EAGAIN") return undefined;
    throw thrown;
  }
}

/** Node has no flock(2), but util-linux has a command, which locks a file descriptor that it inherits from this process. */
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
