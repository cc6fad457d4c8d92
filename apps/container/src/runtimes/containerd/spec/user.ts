import { EngineError } from "../../../engine/errors.ts";

/** The `process.user` of the OCI spec. */
export interface OciUser {
  readonly uid: number;
  readonly gid: number;
  readonly additionalGids: readonly number[];
}

/** The contents of the container's /etc/passwd and /etc/group; "" where there is none. */
export interface UserFiles {
  readonly passwd: string;
  readonly group: string;
}

/**
 * Resolves Docker's `--user` (name or number, `:group` behind it, "" for root) and `--group-add` as moby does
 * (`user.GetExecUser`): a number needs no entry, a name does; only without a `:group` do the user's own groups count.
 */
export function resolveUser(user: string, additionalGroups: readonly string[], files: UserFiles): OciUser {
  const colon = user.indexOf(":");
  const userPart = colon < 0 ? user : user.slice(0, colon);
  const groupPart = colon < 0 ? "" : user.slice(colon + 1);
  const groups = entriesOf(files.group).map(([name = "", , gid = "", members = ""]) => ({
    name,
    gid: Number(gid),
    members: members.split(","),
  }));
  const groupNamed = (wanted: string): number | undefined =>
    groups.find(({ name, gid }) => name === wanted || String(gid) === wanted)?.gid ?? numberOf(wanted);

  const account = accountOf(userPart === "" ? "0" : userPart, files.passwd);
  if (account === undefined) {
    throw new EngineError("invalid", `unable to find user ${userPart}: no matching entries in passwd file`);
  }
  const gid = groupPart === "" ? account.gid : groupNamed(groupPart);
  if (gid === undefined) {
    throw new EngineError("invalid", `unable to find group ${groupPart}: no matching entries in group file`);
  }
  const memberOf =
    groupPart === "" && account.name !== undefined
      ? groups.filter(({ members }) => members.includes(account.name ?? "")).map((group) => group.gid)
      : [];
  const added = additionalGroups.map((wanted) => {
    const found = groupNamed(wanted);
    if (found === undefined) {
      throw new EngineError("invalid", `unable to find group ${wanted}: no matching entries in group file`);
    }
    return found;
  });
  return { uid: account.uid, gid, additionalGids: [...new Set([gid, ...memberOf, ...added])] };
}

function accountOf(
  wanted: string,
  passwd: string,
): { readonly name: string | undefined; readonly uid: number; readonly gid: number } | undefined {
  const entry = entriesOf(passwd).find(([name, , uid]) => name === wanted || uid === wanted);
  if (entry !== undefined) return { name: entry[0], uid: Number(entry[2]), gid: Number(entry[3]) };
  const uid = numberOf(wanted);
  return uid === undefined ? undefined : { name: undefined, uid, gid: 0 };
}

/** The lines with numbers where numbers belong; both files have one in their third field. */
function entriesOf(file: string): readonly (readonly string[])[] {
  return file
    .split("\n")
    .map((line) => line.trim().split(":"))
    .filter((fields) => /^\d+$/.test(fields[2] ?? ""));
}

function numberOf(text: string): number | undefined {
  if (!/^-?\d+$/.test(text)) return undefined;
  const value = Number(text);
  if (value < 0 || value > 2 ** 31 - 1) {
    throw new EngineError("invalid", "uids and gids must be in range 0-2147483647");
  }
  return value;
}
