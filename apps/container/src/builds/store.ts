import type { Descriptor } from "../images/manifest/manifest.ts";

/** A build in progress: what a restart has to take away. */
export interface BuildRow {
  /** 64 digits, as of a container: networks know it by that. */
  readonly id: string;
  readonly owner: string | undefined;
  /** RFC 3339. */
  readonly createdAt: string;
  /** Set before the image becomes one of the engine's: a restart gives it its names. */
  readonly result?: BuildNames | undefined;
}

/** The names that a build's image gets. */
export interface BuildNames {
  readonly imageId: string;
  /** What the names mean, where that is more than one image. */
  readonly index?: Descriptor | undefined;
  readonly names: readonly string[];
  /** Whose own names they are; undefined for everyone's. */
  readonly namer: string | undefined;
}

/** The rows of builds in progress. */
export interface BuildStore {
  load(): Promise<readonly BuildRow[]>;
  insert(row: BuildRow): Promise<void>;
  /** Notes what the build is about to give. */
  note(id: string, result: BuildNames): Promise<void>;
  delete(id: string): Promise<void>;
}
