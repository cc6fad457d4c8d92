import { describe, expect, it } from "vitest";
import { clientMessage } from "./client-message.ts";

const MOUNT = "/var/lib/berth/containerd/tmpmounts/containerd-mount2260165139";
const TASK = "/run/berth/containerd/io.containerd.runtime.v2.task/berth/faa1b0";
const LAYERS = "/var/lib/berth/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots";
const SHIM = "failed to create shim task: OCI runtime create failed: runc create failed";

describe("clientMessage", () => {
  it.each([
    [`mount callback failed on ${MOUNT}: archive/tar: invalid tar header`, "archive/tar: invalid tar header"],
    [
      `mount callback failed on ${MOUNT}: link ${MOUNT}/nope ${MOUNT}/l: no such file or directory`,
      "link /nope /l: no such file or directory",
    ],
    [
      `mount callback failed on /my state${MOUNT}: mkparent /my state${MOUNT}/a: not a directory`,
      "mkparent /a: not a directory",
    ],
    [`stat ${MOUNT}: input/output error`, "stat /: input/output error"],
    [
      `${SHIM}: open o_path procfd: open ${TASK}/rootfs/etc/passwd/x: not a directory: unknown`,
      `${SHIM}: open o_path procfd: open /etc/passwd/x: not a directory: unknown`,
    ],
    [`${SHIM}: open ${TASK}/config.json: permission denied`, `${SHIM}: open …: permission denied`],
    [
      `failed to mount rootfs component &{overlay overlay [lowerdir=${LAYERS}/2/fs:${LAYERS}/1/fs]}: invalid argument`,
      "failed to mount rootfs component &{overlay overlay [lowerdir=…:…]}: invalid argument",
    ],
    [
      "No connection established. Last error: connect ENOENT /run/berth/containerd.sock",
      "No connection established. Last error: connect ENOENT …",
    ],
  ])("%s", (message, told) => expect(clientMessage(message)).toBe(told));

  it.each([
    `${SHIM}: exec: "nope": executable file not found in $PATH: unknown`,
    `${SHIM}: error mounting "/srv/file" to rootfs at "/etc": mount /srv/file:/etc (via /proc/self/fd/6), flags: 0x5000: not a directory`,
    `snapshot sha256:${"0".repeat(64)} does not exist: not found`,
  ])("leaves what is not the engine's own: %s", (message) => expect(clientMessage(message)).toBe(message));
});
