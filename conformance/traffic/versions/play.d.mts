/** By request, then by version, the answer's shape: by place, the types that are found there, separated by `|`. */
export type ByVersion = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

export function playVersions(
  socket: string,
  options: {
    readonly registry: string;
    readonly versionsOf?: (line: string) => readonly string[];
    readonly changingAt?: readonly string[];
    readonly legacyVersions?: readonly string[];
  },
): Promise<ByVersion>;
