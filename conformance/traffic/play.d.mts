export interface Recorded {
  /** The exit codes that the CLI ended with, of whichever version. */
  readonly codes: readonly (number | null)[];
  /** By request, the answer's shape: by place, the types that are found there, separated by `|`. */
  readonly exchanges: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export function play(engine: string, options?: { readonly cli?: string }): Promise<Readonly<Record<string, Recorded>>>;

/** The API version that a CLI speaks by itself. */
export function apiVersionOf(cli: string): Promise<string>;
