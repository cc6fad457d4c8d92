/** An archive of one file. */
export function archiveOf(name: string, content: string): Buffer;
