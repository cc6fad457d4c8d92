/** A `docker save` archive of an image made of the host's own static busybox, and of files beside it. */
export function busyboxImage(options?: {
  readonly busybox?: string;
  readonly tags?: readonly string[];
  /** Names have no leading slash; each stands in the place of busybox's own. */
  readonly files?: readonly { readonly name: string; readonly mode: number; readonly content: Buffer | string }[];
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
}): Buffer;
