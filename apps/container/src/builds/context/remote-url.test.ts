import { describe, expect, it } from "vitest";
import { parseRemote } from "./remote-url.ts";

describe("a remote context", () => {
  it.each([
    ["https://h/a.tar.gz", { kind: "file", url: "https://h/a.tar.gz" }],
    ["http://h:80/Dockerfile?x=$Y", { kind: "file", url: "http://h/Dockerfile?x=%24Y" }],
    ["https://h/r.git", { kind: "git", url: "https://h/r.git", ref: "HEAD", folder: "" }],
    ["https://h/r.git#main", { kind: "git", url: "https://h/r.git", ref: "main", folder: "" }],
    ["https://h/r.git#v1.2:sub/dir", { kind: "git", url: "https://h/r.git", ref: "v1.2", folder: "sub/dir" }],
    ["https://h/r.git#:sub", { kind: "git", url: "https://h/r.git", ref: "HEAD", folder: "sub" }],
    ["git://h/r", { kind: "git", url: "git://h/r", ref: "HEAD", folder: "" }],
    ["github.com/a/b#x", { kind: "git", url: "https://github.com/a/b", ref: "x", folder: "" }],
  ])("%s", (text, value) => expect(parseRemote(text)).toEqual({ ok: true, value }));

  it.each([
    ["file:///etc/passwd", "want a URL"],
    ["/etc/passwd", "want a URL"],
    ["ext::sh -c id", "want a URL"],
    ["git@h:a/b.git", "needs a key"],
    ["ssh://h/a.git", "needs a key"],
    ["https://h/r.git#--upload-pack=x", "is no branch"],
    ["https://h/r.git#a..b", "is no branch"],
    ["https://h/r.git#a b", "is no branch"],
    ["", "want a URL"],
  ])("%j is refused", (text, error) => {
    const parsed = parseRemote(text);
    expect(parsed.ok ? "" : parsed.error).toContain(error);
  });
});
