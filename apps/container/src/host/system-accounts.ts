import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The ids that the files of a system account belong to. */
export interface SystemAccount {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Looks an account up wherever this system keeps them (nsswitch.conf); undefined where it knows none.
 * @param name no option and no number: `getent` takes a number for a user id.
 */
export async function findSystemAccount(name: string): Promise<SystemAccount | undefined> {
  // Ends with 2 where there is none.
  const { stdout } = await promisify(execFile)("getent", ["passwd", name]).catch((thrown) => {
    if (thrown.code === 2) return { stdout: "" };
    throw new Error(`the system's accounts cannot be looked up: getent passwd ${name} failed`, { cause: thrown });
  });
  const [found, , uid, gid] = stdout.trim().split(":");
  return found === name ? { uid: Number(uid), gid: Number(gid) } : undefined;
}
