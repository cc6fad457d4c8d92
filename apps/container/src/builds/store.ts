/** A build in progress: what a restart has to take away. */
export interface BuildRow {
  /** 64 digits, as of a container: networks know it by that. */
  readonly id: string;
  readonly owner: string | undefined;
  /** RFC 3339. */
  readonly createdAt: string;
}

/** The rows of builds in progress. */
export interface BuildStore {
  load(): Promise<readonly BuildRow[]>;
  insert(row: BuildRow): Promise<void>;
  delete(id: string): Promise<void>;
}
