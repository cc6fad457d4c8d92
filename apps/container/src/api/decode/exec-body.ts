import type { z } from "zod";
import type { ExecRequest } from "../../containers/containers.ts";
import { EngineError } from "../../engine/errors.ts";
import { goBool, goList, goString, goStrings, goStruct, goUint, goWords, or } from "../go-json/go-json.ts";

/** `[height, width]`; Go fills what is missing with 0, which is no size. */
const goConsoleSize = goList("uint", goUint).transform(([height = 0, width = 0]) =>
  height > 0 && width > 0 ? { height, width } : undefined,
);

/** `POST /containers/{id}/exec`. */
export const execBody: z.ZodType<ExecRequest> = goStruct("types.ExecConfig", {
  User: or(goString, ""),
  Privileged: or(goBool, false),
  Tty: or(goBool, false),
  AttachStdin: or(goBool, false),
  AttachStderr: or(goBool, false),
  AttachStdout: or(goBool, false),
  DetachKeys: or(goString, ""),
  Env: or(goStrings, []),
  WorkingDir: or(goString, ""),
  Cmd: or(goWords, []),
  ConsoleSize: goConsoleSize.optional(),
}).transform(
  ({ ConsoleSize, ...body }): ExecRequest => ({
    ...(ConsoleSize !== undefined && { size: ConsoleSize }),
    cmd: body.Cmd,
    env: body.Env,
    user: body.User,
    workingDir: body.WorkingDir,
    tty: body.Tty,
    privileged: body.Privileged,
    attachStdin: body.AttachStdin,
    attachStdout: body.AttachStdout,
    attachStderr: body.AttachStderr,
    detachKeys: body.DetachKeys,
  }),
);

/** `POST /exec/{id}/start`. */
export const execStartBody = goStruct("types.ExecStartCheck", {
  Detach: or(goBool, false),
  Tty: or(goBool, false),
  ConsoleSize: goConsoleSize.optional(),
});

/** Rejects a request without a command, with Docker's message. */
export function requireExecCommand({ cmd, env, workingDir }: ExecRequest): void {
  if (cmd.length === 0) throw new EngineError("invalid", "No exec command specified");
  const bad = env.find((entry) => entry === "" || entry.startsWith("="));
  if (bad !== undefined) throw new EngineError("invalid", `invalid environment variable: ${bad}`);
  if (workingDir !== "" && !workingDir.startsWith("/")) {
    throw new EngineError(
      "invalid",
      `the working directory '${workingDir}' is invalid, it needs to be an absolute path`,
    );
  }
}
