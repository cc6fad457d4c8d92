import type { Api } from "./api.ts";

export interface Terminal {
  readonly fetch: typeof fetch;
  readonly write: (text: string) => void;
  readonly complain: (text: string) => void;
  readonly readStdin: () => Promise<string>;
}

/** What commands work with. */
export interface Context {
  readonly api: () => Promise<Api>;
  readonly show: (args: Readonly<Record<string, unknown>>, value: unknown, columns: readonly string[]) => void;
  readonly terminal: Terminal;
}

/** A positional argument that has to be given. */
export const text = { type: "string", demandOption: true } as const;
