import { describe, expect, it } from "vitest";
import { parseDockerfile } from "./parse.ts";
import { formatPlan, planBuild } from "./plan.ts";
import { triggersFault } from "./rules.ts";

function plan(
  source: string,
  { args = {}, target = "" }: { args?: Record<string, string | null>; target?: string } = {},
) {
  const parsed = parseDockerfile(source);
  return parsed.ok ? planBuild(parsed.value, { args, target }) : parsed;
}

function faultOf(source: string, options = {}): string | undefined {
  const planned = plan(source, options);
  return planned.ok ? undefined : planned.error;
}

function written(source: string, options = {}): string {
  const planned = plan(source, options);
  if (!planned.ok) throw new Error(planned.error);
  return formatPlan(planned.value, (image) => `door/${image}`);
}

describe("a Dockerfile", () => {
  it.each([
    ["FROM busybox", ["busybox"]],
    ["from busybox as one\nFROM one\nCOPY --from=one /a /b\nCOPY --from=0 /a /b", ["busybox"]],
    ["FROM scratch\nCOPY --from=corp/tools:1 /bin /bin", ["corp/tools:1"]],
    ["ARG IMAGE=corp/one\nFROM $IMAGE", ["corp/one"]],
    [`ARG A=corp\nARG B=\${A}/two\nFROM \${B:-x}`, ["corp/two"]],
    [`ARG TAG\nFROM busybox:\${TAG:-1.36}`, ["busybox:1.36"]],
    ["FROM busybox AS a\nFROM other AS b\nFROM a", ["busybox", "other"]],
    ["# escape=`\nFROM busybox\nRUN a `\n  b", ["busybox"]],
    ["FROM busybox\nRUN echo FROM other", ["busybox"]],
  ])("%j names %j", (source, images) => expect(plan(source)).toMatchObject({ ok: true, value: { images } }));

  it("takes an argument of the request before its default", () =>
    expect(plan("ARG I=one\nFROM $I", { args: { I: "two" } })).toMatchObject({ value: { images: ["two"] } }));

  it("stops at the target, by name and by number", () => {
    const source = "FROM one AS a\nFROM two AS b\nFROM three";
    expect(plan(source, { target: "B" })).toMatchObject({ value: { images: ["one", "two"] } });
    expect(plan(source, { target: "0" })).toMatchObject({ value: { images: ["one"] } });
    expect(faultOf(source, { target: "c" })).toBe("failed to reach build target c in Dockerfile");
  });

  it("is written for the builder with each image by its place", () =>
    expect(
      written(
        "ARG X=busybox\n# a comment\nFROM --platform=linux/amd64 $X AS One\nRUN a \\\n# in between\n\n  && b\nCOPY --chown=1 --from=tools /a /b\nFROM One\nCOPY --from=0 x y",
      ),
    ).toBe(
      "ARG X=busybox\nFROM --platform=linux/amd64 door/busybox AS One\nRUN a   && b\nCOPY --chown=1 --from=door/tools /a /b\nFROM One\nCOPY --from=0 x y\n",
    ));

  it.each([
    ["FROM scratch", true],
    ["ARG B=scratch\nFROM $B", true],
    ["FROM busybox AS scratchy\nFROM scratchy", false],
  ])("%j starts from nothing: %s", (source, fromScratch) =>
    expect(plan(source)).toMatchObject({ value: { fromScratch } }),
  );

  it("names what a FROM starts from without variables, so that the builder cannot expand them otherwise", () =>
    expect(written("ARG B=one\nARG S=scratch\nFROM a AS one\nFROM $B AS two\nFROM $S")).toBe(
      "ARG B=one\nARG S=scratch\nFROM door/a AS one\nFROM one AS two\nFROM scratch\n",
    ));

  it("keeps its escape character", () =>
    expect(written("#escape=`\nFROM a\nRUN dir c:\\")).toBe("# escape=`\nFROM door/a\nRUN dir c:\\\n"));

  it.each([
    ["", "file with no instructions"],
    ["# nothing\n", "file with no instructions"],
    ["FROM busybox\nBREW tea", "dockerfile parse error line 2: unknown instruction: BREW"],
    ["RUN true", "dockerfile parse error line 1: no build stage in current context"],
    ["ARG A=1", "no build stage in current context"],
    ["FROM", "dockerfile parse error line 1: FROM requires at least one argument"],
    ["FROM a b", "FROM requires either one or three arguments"],
    ["FROM a AS 1b", "invalid name for build stage"],
    ["FROM $NOTHING", "base name ($NOTHING) should not be blank"],
    ["FROM a\nRUN --mount=type=bind,source=/,target=/h true", "the --mount option requires BuildKit"],
    ["FROM a\nRUN --network=host true", "the --network option requires BuildKit"],
    ["FROM a\nRUN --security=insecure true", "the --security option requires BuildKit"],
    ["FROM a\nRUN --MOUNT=type=bind true", "Unknown flag: MOUNT"],
    ["FROM a\nRUN --mo\\\nunt=type=bind true", "the --mount option requires BuildKit"],
    ["FROM a\nCOPY --chmod=1 a b", "the --chmod option requires BuildKit"],
    ["FROM a\nCOPY --from=$X a b", "variables are not expanded"],
    ["FROM a\nCOPY --from=0 a b", "no such stage before this one"],
    ["FROM a\nCOPY --from=a --from=b x y", "Duplicate flag"],
    ["FROM a\nCOPY --what=1 a b", "Unknown flag: what"],
    ["FROM a\nONBUILD ONBUILD RUN x", "Chaining ONBUILD"],
    ["FROM a\nONBUILD FROM x", "FROM isn't allowed as an ONBUILD trigger"],
    ["FROM a\nONBUILD RUN --mount=type=bind x", "the --mount option requires BuildKit"],
    ["# escape=x\nFROM a", "invalid ESCAPE 'x'. Must be ` or \\"],
    ["FROM a\0b", "NUL"],
    [`FROM a\n${"RUN true\n".repeat(1001)}`, "more than 1000 instructions"],
    ["FROM a\nRUN <<EOF\necho\nEOF", "unknown instruction: ECHO"],
  ])("%j is refused", (source, fault) => expect(faultOf(source)).toContain(fault));

  it("lists the URLs that ADD names", () =>
    expect(
      plan(
        'FROM a\nADD ["http://x/y", "https://z/","http://[::1]/", "/d"]\nADD http://127.0.0.1/ http://u@[::1]:80/y /x',
      ),
    ).toMatchObject({
      value: { urls: ["http://x/y", "https://z/", "http://[::1]/", "http://127.0.0.1/", "http://u@[::1]:80/y"] },
    }));
});

describe("a base image's triggers", () => {
  it.each([[["RUN true", "COPY . /app", "ENV A=b"]], [[]]])("%j may run", (triggers) =>
    expect(triggersFault(triggers)).toBeUndefined(),
  );
  it.each([
    [["RUN --mount=type=bind,from=other x"], "requires BuildKit"],
    [["COPY --from=other /a /b"], "--from is not supported"],
    [["FROM other"], "isn't allowed"],
    [["BREW tea"], "unknown instruction"],
    [["RUN a\nFROM b"], "several lines"],
  ])("%j may not", (triggers, fault) => expect(triggersFault(triggers)).toContain(fault));
});
