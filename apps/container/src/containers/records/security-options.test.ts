import { describe, expect, it } from "vitest";
import { parseSecurityOptions, securityOptionsOf } from "./security-options.ts";

describe("security options", () => {
  it.each([
    [null, {}],
    [["no-new-privileges"], { noNewPrivileges: true }],
    [["no-new-privileges:1"], { noNewPrivileges: true }],
    [["no-new-privileges=true", "no-new-privileges=false"], { noNewPrivileges: false }],
    [['seccomp={"a":"b=c"}'], { seccomp: '{"a":"b=c"}' }],
    [["apparmor=unconfined"], { apparmor: undefined }],
    [["apparmor:mine"], { apparmor: "mine" }],
    [["label=disable", "label:type:x", "disable"], { labels: ["disable", "type:x", "disable"] }],
    [["writable-cgroups"], { writableCgroups: true }],
  ])("%j", (texts, options) => expect(securityOptionsOf({ SecurityOpt: texts })).toMatchObject(options));

  it.each([
    ["label", "1"],
    ["apparmor", "1"],
    ["nope=1", "2"],
    ["no-new-privileges=maybe", "2"],
    ["writable-cgroups=", "2"],
  ])("%s is refused in Docker's words", (text, kind) =>
    expect(parseSecurityOptions([text])).toEqual({
      ok: false,
      error: `invalid --security-opt ${kind}: ${JSON.stringify(text)}`,
    }),
  );
});
