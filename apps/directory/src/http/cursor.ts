import { createHmac, timingSafeEqual } from "node:crypto";
import type { Page } from "../accounts/stores.ts";
import { DirectoryError } from "../errors/directory-error.ts";

export type Position = NonNullable<Page["after"]>;

/**
 * Cursors are opaque and signed for one list: this path, sort, filter and actor. One that was changed, or taken to
 * another list, is refused rather than read as something else.
 */
export interface Cursors {
  write(list: string, position: Position): string;
  read(list: string, cursor: string): Position;
}

export function createCursors(key: string): Cursors {
  const sign = (list: string, payload: string) =>
    createHmac("sha256", key).update(`${list}\n${payload}`).digest().subarray(0, 16);
  return {
    write(list, position) {
      const payload = Buffer.from(JSON.stringify([position.value, position.id])).toString("base64url");
      return `${payload}.${sign(list, payload).toString("base64url")}`;
    },
    read(list, cursor) {
      const [payload = "", signature = ""] = cursor.split(".");
      const given = Buffer.from(signature, "base64url");
      const right = sign(list, payload);
      if (given.length !== right.length || !timingSafeEqual(given, right))
        throw new DirectoryError("malformed", "The cursor does not belong to this list.", {
          errors: [{ parameter: "cursor", detail: "must be one that this list gave in its Link header" }],
        });
      const [value, id] = JSON.parse(Buffer.from(payload, "base64url").toString()) as [string | number, number];
      return { value, id };
    },
  };
}
