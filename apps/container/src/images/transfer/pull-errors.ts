import { EngineError } from "../../engine/errors.ts";
import type { Reference } from "../reference/reference.ts";
import { familiarRepository, formatFamiliar } from "../reference/reference.ts";
import { RegistryError } from "../registry/registry-error.ts";

/** Maps a registry's error to dockerd's message for a failed pull (`translatePullError`). */
export function toPullError(thrown: unknown, reference: Reference): unknown {
  if (!(thrown instanceof RegistryError)) return thrown;
  const { code, message } = thrown;
  const cause = { cause: thrown };
  switch (code) {
    case "DENIED":
      return new EngineError(
        "not-found",
        `pull access denied for ${familiarRepository(reference)}, repository does not exist or may require 'docker login': ${message}`,
        cause,
      );
    case "MANIFEST_UNKNOWN":
      return new EngineError("not-found", `manifest for ${formatFamiliar(reference)} not found: ${message}`, cause);
    case "NAME_UNKNOWN":
      return new EngineError("not-found", `repository ${familiarRepository(reference)} not found: ${message}`, cause);
    case "OUT_OF_REACH":
      return new EngineError("forbidden", message, cause);
    case "UNAUTHORIZED":
      return new EngineError("unauthorized", message, cause);
    default:
      return new EngineError("failed", message, cause);
  }
}

/** The message to show in a stream: Berth's and the registry's own errors; anything else is internal. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof EngineError || thrown instanceof RegistryError || isAbort(thrown)
    ? thrown.message
    : "internal error";
}

function isAbort(thrown: unknown): thrown is Error {
  return thrown instanceof Error && thrown.name === "AbortError";
}
