import type { ContainerId } from "./container.ts";

export interface Log {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Time and chance come from outside, so that a test can give its own. */
export interface Chance {
  /** RFC 3339, UTC, as fine as the clock is. */
  now(): string;
  containerId(): ContainerId;
  volumeName(): string;
  execId(): string;
  /** A whole number below the argument. */
  below(bound: number): number;
}

export interface Host {
  /** The host's `ps` with these arguments: its lines, the header first. */
  ps(args: readonly string[]): Promise<readonly string[]>;
}
