import { API, bodyOf } from "./client.ts";

/** The id of the group of this name. @throws Error if there is none. */
export async function groupNamed(name: string): Promise<number> {
  const found = await bodyOf(API.GET("/api/groups", { params: { query: { name: name.trim(), limit: 1 } } }));
  const id = found[0]?.id;
  if (id === undefined) throw new Error(`There is no group ${name.trim()}.`);
  return id;
}
