import { databaseFault } from "@berth/service-kit";
import { DirectoryError, type ErrorDetail } from "../errors/directory-error.ts";
import {
  EMAIL_TAKEN,
  GROUP_NAME_TAKEN,
  LAST_ADMINISTRATOR,
  LOGIN_TAKEN,
  SERVICE_WITHOUT_PASS,
  SUBGROUP_CYCLE,
  SUBGROUP_DEPTH,
} from "./schema.ts";

const TAKEN: Readonly<Record<string, ErrorDetail>> = {
  [LOGIN_TAKEN]: { pointer: "/login", detail: "is taken" },
  [EMAIL_TAKEN]: { pointer: "/email", detail: "is taken" },
  [GROUP_NAME_TAKEN]: { pointer: "/name", detail: "is taken" },
};

/** Translates a database error into a `DirectoryError`; returns anything else unchanged. */
export function readDatabaseError(thrown: unknown): unknown {
  const fault = databaseFault(thrown);
  if (fault === undefined) return thrown;
  const options = { cause: thrown };
  const taken = fault.constraint === undefined ? undefined : TAKEN[fault.constraint];
  if (fault.code === "23505" && taken !== undefined)
    return new DirectoryError("conflict", `The ${taken.pointer?.slice(1)} is taken.`, { ...options, errors: [taken] });
  if (fault.constraint === LAST_ADMINISTRATOR)
    return new DirectoryError(
      "conflict",
      "The last active administrator cannot be removed, disabled or demoted.",
      options,
    );
  if (fault.constraint === SUBGROUP_CYCLE)
    return new DirectoryError("conflict", "The group would be part of itself.", options);
  if (fault.constraint === SUBGROUP_DEPTH)
    return new DirectoryError("conflict", "Groups can be at most 16 levels deep.", options);
  if (fault.constraint === SERVICE_WITHOUT_PASS)
    return new DirectoryError("invalid", "A service account has no password: give it a token.", {
      ...options,
      errors: [{ pointer: "/pass", detail: "must be left out for a service account" }],
    });
  if (fault.code === "23503") return new DirectoryError("not-found", "A referenced record no longer exists.", options);
  // Deadlock, serialisation failure, lock timeout: a retry may succeed.
  if (fault.code === "40P01" || fault.code === "40001" || fault.code === "55P03")
    return new DirectoryError("busy", "Another request is changing the record; retry in a second.", {
      ...options,
      retryAfter: 1,
    });
  return thrown;
}
