/** Folders of containerd's and of its shim in which a container's or a layer's root is mounted. */
const ROOTS = [
  /(?:\/[^\s:"'=,/]+)*\/tmpmounts\/containerd-mount\d+/g,
  /(?:\/[^\s:"'=,/]+)*\/io\.containerd\.runtime\.v2\.task\/[^\s:"'=,/]+\/[^\s:"'=,/]+\/rootfs/g,
];

/** Any other place of containerd's own, and its socket. */
const PLACES = /(?:\/[^\s:"'=,/]+)*\/(?:io\.containerd\.|containerd\.sock)[^\s:"'=,\])]*/g;

/**
 * A message of containerd or runc without the engine's own paths. A path inside a root is shown as the container sees it (`/etc/passwd`),
 * as dockerd does; any other path of theirs becomes `…`.
 */
export function clientMessage(message: string): string {
  const [callback = "", mounted] = /mount callback failed on (.*?\/containerd-mount\d+): /.exec(message) ?? [];
  // As a whole, because a state directory may have any character in its name.
  const text = mounted === undefined ? message : message.replace(callback, "").replaceAll(mounted, MOUNTED_ROOT);
  const rooted = ROOTS.reduce((rest, root) => rest.replaceAll(root, MOUNTED_ROOT), text);
  return rooted
    .replaceAll(new RegExp(`${MOUNTED_ROOT}(?=/)`, "g"), "")
    .replaceAll(MOUNTED_ROOT, "/")
    .replaceAll(PLACES, "…");
}

/** Marks a root until the rest of the path is handled; no message contains NUL. */
const MOUNTED_ROOT = "\0";
