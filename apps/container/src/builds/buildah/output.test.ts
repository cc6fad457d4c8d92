import { describe, expect, it } from "vitest";
import { parseDockerfile } from "../dockerfile/parse.ts";
import { planBuild } from "../dockerfile/plan.ts";
import { BuildahOutput, LineCutter } from "./output.ts";

function stepsOf(source: string) {
  const parsed = parseDockerfile(source);
  const planned = parsed.ok ? planBuild(parsed.value, { args: {}, target: "" }) : parsed;
  if (!planned.ok) throw new Error(planned.error);
  return planned.value.steps;
}

/** Lines of buildah 1.28; `! ` marks standard error. */
function shown(dockerfile: string, lines: readonly string[]) {
  const output = new BuildahOutput(stepsOf(dockerfile));
  const text = lines.flatMap((line) =>
    line.startsWith("! ")
      ? output.read({ from: "stderr", text: `${line.slice(2)}\n` })
      : output.read({ from: "stdout", text: `${line}\n` }),
  );
  return { output, text: text.join("") };
}

const ID = "6216f9fb214c147a41617e92cbdad32def223e90673442ee0005496193289784";

describe("buildah's output", () => {
  it("reads as dockerd's", () => {
    const { output, text } = shown("ARG V=1\nFROM busybox\nRUN echo out\nCMD sh", [
      "STEP 1/3: FROM door.berth/tag/646f/library/busybox:latest",
      "! Trying to pull door.berth/tag/646f/library/busybox:latest...",
      "! Storing signatures",
      "STEP 2/3: RUN echo out",
      "out",
      "! Storing signatures",
      "--> 40054458f6e",
      "STEP 3/3: CMD sh",
      `--> Using cache ${ID}`,
      "COMMIT",
      "--> 6216f9fb214",
      ID,
    ]);
    expect(text).toBe(
      "Step 1/4 : ARG V=1\nStep 2/4 : FROM busybox\nStep 3/4 : RUN echo out\nout\n\u001b[91mStoring signatures\n\u001b[0m" +
        " ---> 40054458f6e\nStep 4/4 : CMD sh\n ---> Using cache\n ---> 6216f9fb214c\n",
    );
    expect(output.image).toBe(`sha256:${ID}`);
    expect(output.stages).toEqual([]);
  });

  it("reads as dockerd's where all is cached", () => {
    const { output, text } = shown("FROM a\nCMD sh", [
      "STEP 1/2: FROM x",
      "STEP 2/2: CMD sh",
      `--> Using cache ${ID}`,
      "--> 6216f9fb214",
      ID,
    ]);
    expect(text).toBe("Step 1/2 : FROM a\nStep 2/2 : CMD sh\n ---> Using cache\n ---> 6216f9fb214c\n");
    expect(output.image).toBe(`sha256:${ID}`);
  });

  it("knows its own lines behind a step's that has no end", () => {
    const { output, text } = shown("FROM a\nRUN b\nRUN c", [
      "STEP 1/3: FROM x",
      "STEP 2/3: RUN b",
      "no end--> 40054458f6e",
      "STEP 3/3: RUN c",
      "no end eitherCOMMIT",
      "--> 6216f9fb214",
      ID,
    ]);
    expect(text).toBe("Step 1/3 : FROM a\nStep 2/3 : RUN b\nno end ---> 40054458f6e\nStep 3/3 : RUN c\nno end either");
    expect(output.image).toBe(`sha256:${ID}`);
  });

  it("takes no id from a step", () => {
    const { output, text } = shown("FROM a\nRUN b", ["STEP 1/2: FROM x", "STEP 2/2: RUN b", ID, "COMMIT", ID]);
    expect(output.image).toBeUndefined();
    expect(text).toContain(ID);
  });

  it("counts the steps of all stages", () => {
    const { text } = shown("FROM a AS one\nRUN b\nFROM a\nCOPY --from=one /x /y", [
      "[1/2] STEP 1/2: FROM door.berth/x AS one",
      "[1/2] STEP 2/2: RUN b",
      "[1/2] COMMIT",
      "--> 6216f9fb214",
      "[2/2] STEP 1/2: FROM door.berth/x",
      "[2/2] STEP 2/2: COPY --from=one /x /y",
    ]);
    expect(text).toBe(
      "Step 1/4 : FROM a AS one\nStep 2/4 : RUN b\nStep 3/4 : FROM a\nStep 4/4 : COPY --from=one /x /y\n",
    );
  });

  it("tells the steps of stages apart that run in turns", () => {
    const { text } = shown("ARG V\nFROM a AS one\nRUN b\nFROM c AS two\nRUN d\nFROM a\nCOPY --from=one /x /y", [
      "[1/3] STEP 1/2: FROM a AS one",
      "[2/3] STEP 1/2: FROM c AS two",
      "[2/3] STEP 2/2: RUN d",
      "[1/3] STEP 2/2: RUN b",
      "[3/3] STEP 1/2: FROM a",
    ]);
    const steps = text.split("\n").map((line) => line.replace(/ : .*/, ""));
    expect(steps).toEqual(["Step 1/7", "Step 2/7", "Step 4/7", "Step 5/7", "Step 3/7", "Step 6/7", ""]);
  });

  it("knows the image where another stage ends after it", () => {
    const { output, text } = shown("FROM a AS unused\nRUN b\nFROM a\nRUN c", [
      "[1/2] STEP 1/2: FROM a AS unused",
      "[2/2] STEP 1/2: FROM a",
      "[2/2] STEP 2/2: RUN c",
      "[2/2] COMMIT app",
      `--> ${ID.slice(0, 11)}`,
      "[1/2] STEP 2/2: RUN b",
      "--> 0123456789a",
      ID,
    ]);
    expect(output.image).toBe(`sha256:${ID}`);
    expect(output.stages).toEqual(["0123456789a"]);
    expect(text).not.toContain(ID);
  });

  it("shows a base image's triggers", () => {
    const { text } = shown("FROM a\nCMD b", ["STEP 1/2: FROM x", "STEP 1/1: RUN trigger", "STEP 2/2: CMD b"]);
    expect(text).toBe("Step 1/2 : FROM a\n# Executing build trigger: RUN trigger\nStep 2/2 : CMD b\n");
  });

  it.each([
    ["RUN false", "RUN false", "The command '/bin/sh -c false' returned a non-zero code: 1"],
    ['RUN ["a", "b c"]', "RUN a b c", "The command 'a b c' returned a non-zero code: 1"],
  ])("tells of %s that failed", (instruction, shownAs, message) => {
    const { output, text } = shown(`FROM a\n${instruction}`, [
      "STEP 1/2: FROM x",
      `STEP 2/2: ${shownAs}`,
      "! oops",
      `! Error: building at STEP "${shownAs}": while running runtime: exit status 1`,
    ]);
    expect(text).toContain("\u001b[91moops\n\u001b[0m");
    expect(text).not.toContain("building at");
    expect(output.failure()).toEqual({ message, code: 1 });
  });

  it("tells buildah's own reason", () => {
    const { output } = shown("FROM a\nCOPY b c", [
      "STEP 1/2: FROM x",
      "STEP 2/2: COPY b c",
      '! Error: building at STEP "COPY b c": checking on sources under "/build/context": no such file',
    ]);
    expect(output.failure()).toEqual({ message: 'checking on sources under "/build/context": no such file' });
  });

  it("passes a step's imitation of an error on", () => {
    const { text } = shown("FROM a\nRUN b", ["STEP 1/2: FROM x", "STEP 2/2: RUN b", "! Error: no", "! more"]);
    expect(text).toContain("\u001b[91mError: no\n\u001b[0m\u001b[91mmore\n\u001b[0m");
  });
});

describe("LineCutter", () => {
  it.each([
    [
      ["a\nb", "c\n"],
      ["a\n", "bc\n"],
    ],
    [["10%\r20%\r"], ["10%\r", "20%\r"]],
    [["a\r\nb\n"], ["a\r\n", "b\n"]],
    [["no end"], ["no end"]],
  ])("%j", (parts, lines) => {
    const cutter = new LineCutter();
    expect([...parts.flatMap((part) => cutter.push(part)), ...cutter.end()]).toEqual(lines);
  });

  it("keeps no more than 16 KiB", () => {
    const cutter = new LineCutter();
    expect(cutter.push("x".repeat(1 << 20))).toHaveLength(1);
  });
});
