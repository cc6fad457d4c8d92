import { StartError } from "../../../containers/records/start-error.ts";
import { EngineError } from "../../../engine/errors.ts";

const MOUNT_HINT =
  "Are you trying to mount a directory onto a file (or vice-versa)? Check if the specified host path exists and is the expected type";

/** The shim's words for a process that ended between its create and its start, when it was runc's own and ran no program yet. */
const ENDED_BEFORE = /cannot start a stopped process/;

/**
 * The error of a start whose process ended before it ran `command`; any other stays as it is. runc reads the container's account files in
 * it, which may be endless.
 *
 * @param ranOutOfMemory whether the kernel killed it for want of memory.
 */
export function toEarlyEnd(thrown: unknown, command: string, { ranOutOfMemory }: { readonly ranOutOfMemory: boolean }) {
  if (!(thrown instanceof EngineError) || !ENDED_BEFORE.test(thrown.message)) return thrown;
  const why = ranOutOfMemory ? "container init was OOM-killed (memory limit too low?)" : "container init ended";
  const when = `before it ran ${JSON.stringify(command)}, while it read /etc/passwd and /etc/group of the container`;
  return new EngineError("invalid", `OCI runtime start failed: ${why} ${when}`, { cause: thrown });
}

/**
 * Makes of a failed create or start what Docker's clients know, by moby's `setExitCodeFromError`: 127 where runc does not find
 * `command`, or a mount meets the wrong kind of file; 126 where it may not execute it. Anything else stays as it is.
 */
export function toStartError(thrown: unknown, command: string): unknown {
  if (!(thrown instanceof EngineError) || !thrown.message.includes("OCI runtime")) return thrown;
  const { message } = thrown;
  const says = (...texts: readonly string[]) => texts.some((text) => message.includes(text));
  if (says("not a directory")) return new StartError(127, `${message}: ${MOUNT_HINT}`, { cause: thrown });
  if (says("permission denied", "is a directory")) return new StartError(126, message, { cause: thrown });
  if (says(command) && says("executable file not found", "no such file or directory")) {
    return new StartError(127, message, { cause: thrown });
  }
  return thrown;
}
