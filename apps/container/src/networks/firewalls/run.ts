/** Runs a program of the host to its end, and gives what it wrote; throws CommandError where it fails. */
export type Run = (program: string, args: readonly string[], input?: string) => Promise<string>;
