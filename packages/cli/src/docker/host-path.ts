import { normalisePath } from "@berth/directory-domain";

/** The absolute path on a Linux host of a path that may be relative to a folder. */
export function hostPath(folder: string, source: string): string {
  return normalisePath(source.startsWith("/") ? source : `${folder}/${source}`) ?? source;
}
