import { databaseOutage } from "@berth/service-kit";
import { DirectoryError } from "./directory-error.ts";

/** A database that is away or full, in the directory's words; anything else comes back as it was. */
export function readOutage(thrown: unknown): unknown {
  const outage = databaseOutage(thrown);
  if (outage === undefined) return thrown;
  return new DirectoryError(outage.kind, `${outage.message[0]?.toUpperCase()}${outage.message.slice(1)}.`, {
    cause: thrown,
    retryAfter: 1,
  });
}
