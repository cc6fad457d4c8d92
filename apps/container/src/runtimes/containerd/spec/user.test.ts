import { describe, expect, it } from "vitest";
import { resolveUser } from "./user.ts";

const FILES = {
  passwd: [
    "root:x:0:0:root:/root:/bin/sh",
    "# a comment",
    "alice:x:1000:1000::/home:/bin/sh",
    "1234:x:5:6::/:/bin/sh",
    "broken:x:none:1",
    "",
  ].join("\n"),
  group: "root:x:0:root\nalice:x:1000:\nstaff:x:50:bob,alice\nwheel:x:10:root,alice\nbad",
};

describe("resolveUser", () => {
  it.each([
    ["", 0, 0, [0, 10]],
    ["root", 0, 0, [0, 10]],
    ["0", 0, 0, [0, 10]],
    ["alice", 1000, 1000, [1000, 50, 10]],
    ["1000", 1000, 1000, [1000, 50, 10]],
    ["1234", 5, 6, [6]],
    ["alice:", 1000, 1000, [1000, 50, 10]],
    ["alice:staff", 1000, 50, [50]],
    ["alice:77", 1000, 77, [77]],
    [":staff", 0, 50, [50]],
    ["4242", 4242, 0, [0]],
    ["4242:43", 4242, 43, [43]],
  ])("%j is %i:%i with %j", (user, uid, gid, additionalGids) =>
    expect(resolveUser(user, [], FILES)).toEqual({ uid, gid, additionalGids }),
  );

  it("adds groups by name and number, each once", () => {
    expect(resolveUser("alice", ["staff", "99", "root"], FILES).additionalGids).toEqual([1000, 50, 10, 99, 0]);
  });

  it.each([
    ["mallory", [], "unable to find user mallory: no matching entries in passwd file"],
    ["broken", [], "unable to find user broken: no matching entries in passwd file"],
    ["alice:mallory", [], "unable to find group mallory: no matching entries in group file"],
    ["alice", ["mallory"], "unable to find group mallory: no matching entries in group file"],
    ["-1", [], "uids and gids must be in range 0-2147483647"],
    ["2147483648", [], "uids and gids must be in range 0-2147483647"],
  ])("refuses %j with %j", (user, groups, message) =>
    expect(() => resolveUser(user, groups, FILES)).toThrow(expect.objectContaining({ kind: "invalid", message })),
  );

  it("needs no files for numbers", () => {
    expect(resolveUser("7:8", ["9"], { passwd: "", group: "" })).toEqual({ uid: 7, gid: 8, additionalGids: [8, 9] });
    expect(resolveUser("", [], { passwd: "", group: "" })).toEqual({ uid: 0, gid: 0, additionalGids: [0] });
  });
});
