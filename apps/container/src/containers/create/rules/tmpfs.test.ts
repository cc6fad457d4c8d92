import { expect, it } from "vitest";
import { validateTmpfs } from "./tmpfs.ts";

it.each(["", "rw,noexec,nosuid,size=65536k", "size=50%,mode=1777,uid=5,gid=6,nr_inodes=10k", "exec,suid,dev"])(
  "accepts %j",
  (options) => expect(validateTmpfs({ Tmpfs: { "/x": options } })).toBeUndefined(),
);

it.each([
  ["bind", "bind"],
  ["rw,rbind", "rbind"],
  ["rshared", "rshared"],
  ["remount", "remount"],
  ["source=/etc", "source=/etc"],
  ["size=1g,lowerdir=/", "lowerdir=/"],
  ["size=", "size="],
  ["mode=9", "mode=9"],
  ["size=1,,rw", ""],
  ["__proto__=1", "__proto__=1"],
])("refuses %j", (options, unknown) => {
  expect(validateTmpfs({ Tmpfs: { "/ok": "rw", "/x": options } })).toBe(
    `Invalid tmpfs option ${JSON.stringify(unknown)}`,
  );
});
