import { fold } from "@berth/directory-domain";
import { type Api, Refused } from "./api.ts";

/** Who runs the command, as the directory knows it. */
export interface Me {
  readonly id: number;
  readonly login: string;
  readonly role: "user" | "operator" | "admin";
  readonly scopes: readonly string[];
  readonly tokenId: number | null;
}

interface Named {
  readonly id: number;
  readonly login?: string;
  readonly name?: string;
}

export async function whoAmI(directory: Api): Promise<Me> {
  return (await directory.get("/api/me")) as Me;
}

/** The id of the user with a login. An ordinary user may name itself alone, since it sees nobody else. */
export async function userId(directory: Api, login: string): Promise<number> {
  const me = await whoAmI(directory);
  if (fold(me.login) === fold(login)) return me.id;
  if (me.role === "user") throw new Refused(`You are ${me.login}: only operators and administrators see other users.`);
  const [user] = (await directory.get(`/api/users?limit=1&login=${encodeURIComponent(login)}`)) as Named[];
  if (user === undefined) throw new Refused(`There is no user ${login}.${await alike(directory, login)}`);
  return user.id;
}

/** The id that a command's `[login]` or `--id` names. */
export async function userOf(directory: Api, args: Readonly<Record<string, unknown>>): Promise<number> {
  const { login, id } = args;
  if (typeof id === "number") return id;
  if (typeof login === "string") return userId(directory, login);
  throw new Refused("Name the user by its login, or by --id.");
}

/** The id of a group; an ordinary user may name the groups that it is in. */
export async function groupId(directory: Api, name: string): Promise<number> {
  const me = await whoAmI(directory);
  const path =
    me.role === "user" ? `/api/users/${me.id}/groups` : `/api/groups?limit=1&name=${encodeURIComponent(name)}`;
  const found = ((await directory.get(path)) as Named[]).find((group) => fold(group.name ?? "") === fold(name));
  if (found !== undefined) return found.id;
  throw new Refused(me.role === "user" ? `You are in no group ${name}.` : `There is no group ${name}.`);
}

/** A suggestion for a login that is not there: one that begins alike. */
async function alike(directory: Api, login: string): Promise<string> {
  const start = [...login].slice(0, 3).join("");
  const [user] = (await directory.get(`/api/users?limit=1&q=${encodeURIComponent(start)}`)) as Named[];
  return user?.login === undefined ? "" : ` Did you mean ${user.login}?`;
}
