export interface ReferenceEngine {
  readonly socket: string;
  /** The words that enter its network namespace. */
  readonly enter: readonly string[];
  close(): Promise<void>;
}
export function startReference(folder: string, where?: { readonly network: "own" | "host" }): Promise<ReferenceEngine>;
