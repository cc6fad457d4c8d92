import { describe, expect, it } from "vitest";
import { StartError } from "../../../containers/records/start-error.ts";
import { EngineError } from "../../../engine/errors.ts";
import { toEarlyEnd, toStartError } from "./start-error.ts";

const PREFIX =
  "failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process";

describe("toStartError", () => {
  it.each([
    [`${PREFIX}: exec: "nope": executable file not found in $PATH: unknown`, 127],
    [`${PREFIX}: exec: "nope": stat nope: no such file or directory: unknown`, 127],
    [`${PREFIX}: exec: "nope": permission denied: unknown`, 126],
    [`${PREFIX}: exec: "nope": is a directory: unknown`, 126],
    [`${PREFIX}: error mounting "/a" to rootfs at "/b": not a directory: unknown`, 127],
  ])("%s: %i", (message, exitCode) => {
    const error = toStartError(new EngineError("failed", message), "nope");
    expect(error).toBeInstanceOf(StartError);
    expect(error).toMatchObject({ kind: "invalid", exitCode, message: expect.stringContaining(message) });
  });

  it.each([
    new EngineError(
      "failed",
      `${PREFIX}: error mounting "/gone" to rootfs at "/b": no such file or directory: unknown`,
    ),
    new EngineError("unavailable", "containerd is away: no such file or directory"),
    new Error("permission denied"),
  ])("leaves %s", (error) => expect(toStartError(error, "nope")).toBe(error));
});

describe("toEarlyEnd", () => {
  const thrown = new EngineError("failed", "cannot start a stopped process: unknown");

  it.each([
    [true, "container init was OOM-killed (memory limit too low?) before it ran"],
    [false, "container init ended before it ran"],
  ])("names the cause where the process ran out of memory: %s", (ranOutOfMemory, why) => {
    expect(toEarlyEnd(thrown, "sleep", { ranOutOfMemory })).toMatchObject({
      kind: "invalid",
      message: `OCI runtime start failed: ${why} "sleep", while it read /etc/passwd and /etc/group of the container`,
    });
  });

  it("leaves other errors", () => {
    const other = new EngineError("failed", "OCI runtime start failed: unknown");
    expect(toEarlyEnd(other, "sleep", { ranOutOfMemory: true })).toBe(other);
  });
});
