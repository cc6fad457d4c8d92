import { describe, expect, it } from "vitest";
import { clientMessage } from "./client-message.ts";

const mount = "/var/lib/berth/containerd/tmpmounts/containerd-mount2260165139";
const task = "/run/berth/containerd/io.containerd.runtime.v2.task/berth/faa1b0";
const layers = "/var/lib/berth/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots";
const shim = "failed to create shim task: OCI runtime create failed: runc create failed";

describe("clientMessage", () => {
  it.each([
    [`mount callback failed on ${mount}: archive/tar: invalid tar header`, "archive/tar: invalid tar header"],
    [
      `mount callback failed on ${mount}: link ${mount}/nope ${mount}/l: no such file or directory`,
      "link /nope /l: no such file or directory",
    ],
    [
      `mount callback failed on /my state${mount}: mkparent /my state${mount}/a: not a directory`,
      "mkparent /a: not a directory",
    ],
    [`stat ${mount}: input/output error`, "stat /: input/output error"],
    [
      `${shim}: open o_path procfd: open ${task}/rootfs/etc/passwd/x: not a directory: unknown`,
      `${shim}: open o_path procfd: open /etc/passwd/x: not a directory: unknown`,
    ],
    [`${shim}: open ${task}/config.json: permission denied`, `${shim}: open …: permission denied`],
    [
      `failed to mount rootfs component &{overlay overlay [lowerdir=${layers}/2/fs:${layers}/1/fs]}: invalid argument`,
      "failed to mount rootfs component &{overlay overlay [lowerdir=…:…]}: invalid argument",
    ],
    [
      "No connection established. Last error: connect ENOENT /run/berth/containerd.sock",
      "No connection established. Last error: connect ENOENT …",
    ],
  ])("%s", (message, told) => expect(clientMessage(message)).toBe(told));

  it.each([
    `${shim}: exec: "nope": executable file not found in $PATH: unknown`,
    `${shim}: error mounting "/srv/file" to rootfs at "/etc": mount /srv/file:/etc (via /proc/self/fd/6), flags: 0x5000: not a directory`,
    `snapshot sha256:${"0".repeat(64)} does not exist: not found`,
  ])("leaves what is not the engine's own: %s", (message) => expect(clientMessage(message)).toBe(message));
});
