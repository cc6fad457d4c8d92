import { describe, expect, it } from "vitest";
import { seccompOf } from "./seccomp.ts";

const FACTS = { architecture: "amd64", kernel: [5, 10], capabilities: ["CAP_KILL"] } as const;
function rulesOf(syscalls: readonly object[]) {
  return (
    seccompOf(JSON.stringify({ defaultAction: "SCMP_ACT_ERRNO", syscalls }), FACTS) as {
      syscalls: { names: string[] }[];
    }
  ).syscalls
    .flatMap(({ names }) => names)
    .join(" ");
}

describe("seccompOf", () => {
  it.each([
    [{ includes: { arches: ["amd64"] } }, true],
    [{ includes: { arches: ["arm64"] } }, false],
    [{ excludes: { arches: ["amd64"] } }, false],
    [{ includes: { caps: ["CAP_KILL"] } }, true],
    [{ includes: { caps: ["CAP_KILL", "CAP_CHOWN"] } }, false],
    [{ excludes: { caps: ["CAP_CHOWN", "CAP_KILL"] } }, false],
    [{ includes: { minKernel: "4.8" } }, true],
    [{ includes: { minKernel: "5.10" } }, true],
    [{ includes: { minKernel: "5.11" } }, false],
    [{ excludes: { minKernel: "4.8" } }, false],
    [{ includes: {}, excludes: {} }, true],
  ])("%j applies: %s", (condition, applies) => {
    expect(rulesOf([{ names: ["open"], action: "SCMP_ACT_ALLOW", ...condition }])).toBe(applies ? "open" : "");
  });

  it("takes Docker's older form with one name a rule, and keeps arguments", () => {
    const args = [{ index: 0, value: 8, op: "SCMP_CMP_EQ" }];
    const profile = {
      defaultAction: "SCMP_ACT_ERRNO",
      defaultErrnoRet: 38,
      architectures: ["SCMP_ARCH_X86_64"],
      syscalls: [{ name: "personality", action: "SCMP_ACT_ALLOW", args, errnoRet: 1 }],
    };
    expect(seccompOf(JSON.stringify(profile), FACTS)).toEqual({
      ...profile,
      syscalls: [{ names: ["personality"], action: "SCMP_ACT_ALLOW", args, errnoRet: 1 }],
    });
  });

  it.each(["", "{", "null", "[]", "{}", '{"defaultAction":1}', '{"defaultAction":"a","syscalls":{}}'])(
    "refuses %j",
    (json) => expect(() => seccompOf(json, FACTS)).toThrow(expect.objectContaining({ kind: "invalid" })),
  );
});
