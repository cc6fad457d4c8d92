/** What a running container uses at a moment. */
export interface RuntimeStats {
  /** RFC 3339. */
  readonly read: string;
  readonly pids: { readonly current: number; readonly limit: number | undefined };
  /** Nanoseconds. */
  readonly cpu: {
    readonly total: number;
    readonly user: number;
    readonly kernel: number;
    readonly perCpu: readonly number[];
    readonly throttling: {
      readonly periods: number;
      readonly throttledPeriods: number;
      readonly throttledTime: number;
    };
  };
  /** Bytes. */
  readonly memory: {
    readonly usage: number;
    readonly maxUsage: number;
    readonly limit: number;
    readonly failcnt: number;
    readonly stats: Readonly<Record<string, number>>;
  };
  readonly blkio: readonly {
    readonly op: string;
    readonly major: number;
    readonly minor: number;
    readonly value: number;
  }[];
}
