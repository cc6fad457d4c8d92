import type { Received, TestDirectory } from "../directory.testing.ts";

export const USER_URN = "urn:ietf:params:scim:schemas:core:2.0:User";
export const GROUP_URN = "urn:ietf:params:scim:schemas:core:2.0:Group";

/** A SCIM client of a directory under test. */
export interface ScimClient {
  send(method: string, path: string, json?: object, headers?: Readonly<Record<string, string>>): Promise<Received>;
  patch(path: string, ...operations: readonly object[]): Promise<Received>;
  /** Creates a user that must not be refused, and answers with its id. */
  addUser(userName: string, more?: object): Promise<string>;
  /** Names of the resources that a filter chooses, in order. */
  found(path: "/Users" | "/Groups", filter: string): Promise<readonly string[]>;
}

export function scimClient(directory: TestDirectory): ScimClient {
  const send: ScimClient["send"] = (method, path, json, headers = {}) =>
    directory.send(method, `/scim/v2${path}`, {
      json,
      headers: json === undefined ? headers : { "content-type": "application/scim+json", ...headers },
    });
  return {
    send,
    patch: (path, ...operations) => send("PATCH", path, { Operations: operations }),
    async addUser(userName, more = {}) {
      const made = await send("POST", "/Users", { schemas: [USER_URN], userName, ...more });
      if (made.status !== 201) throw new Error(`${userName} was refused: ${made.text}`);
      return made.json.id;
    },
    async found(path, filter) {
      const { status, json, text } = await send("GET", `${path}?filter=${encodeURIComponent(filter)}`);
      if (status !== 200) throw new Error(`${filter} was refused: ${text}`);
      return json.Resources.map((one: { userName?: string; displayName: string }) => one.userName ?? one.displayName);
    },
  };
}
