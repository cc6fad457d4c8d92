/** Folders of containerd's and of its shim in which a container's or a layer's root is mounted. */
const ROOTS = [
  /(?:\/[^\s:"'=,/]+)*\/tmpmounts\/containerd-mount\d+/g,
  /(?:\/[^\s:"'=,/]+)*\/io\.containerd\.runtime\.v2\.task\/[^\s:"'=,/]+\/[^\s:"'=,/]+\/rootfs/g,
];

/** Any other place of containerd's own, and its socket. */
const PLACES = /(?:\/[^\s:"'=,/]+)*\/(?:io\.containerd\.|containerd\.sock)[^\s:"'=,\])]*/g;

/**
 * A message of containerd or runc without the engine's own paths: what is in a root is named as seen from there (`/etc/passwd`), as
 * dockerd names it, and any other place of theirs is `…`.
 */
export function clientMessage(message: string): string {
  const [callback = "", mounted] = /mount callback failed on (.*?\/containerd-mount\d+): /.exec(message) ?? [];
  // Whole, for a state directory may have any character in its name.
  const text = mounted === undefined ? message : message.replace(callback, "").replaceAll(mounted, MOUNTED_ROOT);
  const rooted = ROOTS.reduce((rest, root) => rest.replaceAll(root, MOUNTED_ROOT), text);
  return rooted
    .replaceAll(new RegExp(`${MOUNTED_ROOT}(?=/)`, "g"), "")
    .replaceAll(MOUNTED_ROOT, "/")
    .replaceAll(PLACES, "…");
}

/** Stands for a root until it is known what follows; no message has a NUL. */
const MOUNTED_ROOT = "\0";
