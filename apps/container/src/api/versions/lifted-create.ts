import type { CreateRequest } from "../../containers/records/config.ts";

/** A create request with the warnings of its lifts. */
export interface LiftedCreate {
  readonly request: CreateRequest;
  readonly warnings: readonly string[];
}
