/** A `docker save` archive of an image made of the host's own static busybox. */
export function busyboxImage(options?: { readonly busybox?: string; readonly tags?: readonly string[] }): Buffer;
