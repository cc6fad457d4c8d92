import { createHmac, timingSafeEqual } from "node:crypto";
import type { Page } from "../accounts/stores.ts";
import { DirectoryError } from "../errors/directory-error.ts";

export type Position = NonNullable<Page["after"]>;

/** Opaque cursors, signed for one list: path, sort, filter and actor. Any other cursor is rejected as `malformed`. */
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
      const actual = Buffer.from(signature, "base64url");
      const expected = sign(list, payload);
      if (actual.length !== expected.length || !timingSafeEqual(actual, expected))
        throw new DirectoryError("malformed", "The cursor does not belong to this list.", {
          errors: [{ parameter: "cursor", detail: "must come from the Link header of this list" }],
        });
      const [value, id] = JSON.parse(Buffer.from(payload, "base64url").toString()) as [string | number, number];
      return { value, id };
    },
  };
}
