import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The user and group ids of a system account. */
export interface SystemAccount {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Looks up an account in the system's account databases (nsswitch.conf); undefined if it does not exist.
 * @param name neither an option nor a number: `getent` treats a number as a user id.
 */
export async function findSystemAccount(name: string): Promise<SystemAccount | undefined> {
  // `getent` exits with 2 for an unknown name.
  const { stdout } = await promisify(execFile)("getent", ["passwd", name]).catch((thrown) => {
    if (thrown.code === 2) return { stdout: "" };
    throw new Error(`the system's accounts cannot be looked up: getent passwd ${name} failed`, { cause: thrown });
  });
  const [found, , uid, gid] = stdout.trim().split(":");
  return found === name ? { uid: Number(uid), gid: Number(gid) } : undefined;
}
