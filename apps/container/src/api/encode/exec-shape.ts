import type { Exec } from "../../containers/containers.ts";

/** `GET /exec/{id}/json`. */
export function execShape({ id, containerId, request, running, pid, exitCode }: Exec) {
  return {
    ID: id,
    Running: running,
    ExitCode: exitCode,
    ProcessConfig: {
      tty: request.tty,
      entrypoint: request.cmd[0] ?? "",
      arguments: request.cmd.slice(1),
      privileged: request.privileged,
      ...(request.user !== "" && { user: request.user }),
    },
    OpenStdin: request.attachStdin,
    OpenStderr: request.attachStderr,
    OpenStdout: request.attachStdout,
    CanRemove: false,
    ContainerID: containerId,
    DetachKeys: request.detachKeys,
    Pid: pid,
  };
}
