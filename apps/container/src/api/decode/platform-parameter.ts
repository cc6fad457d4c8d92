import { EngineError } from "../../engine/errors.ts";
import { goString, goStrings, goStruct, or } from "../go-json/go-json.ts";
import { parseJson, parseValue } from "../go-json/json-body.ts";

const platform = goStruct("v1.Platform", {
  architecture: or(goString, ""),
  os: or(goString, ""),
  "os.version": or(goString, ""),
  "os.features": or(goStrings, []),
  variant: or(goString, ""),
});

function invalid(message: string): EngineError {
  return new EngineError("invalid", message);
}

/**
 * The platform that a query names as JSON, `{"os":"linux","architecture":"arm64"}`, as text (`linux/arm64`); undefined if the parameter is
 * empty. Throws `invalid` with Docker's message (moby `httputils.DecodePlatform`).
 */
export function platformParameter(json: string): string | undefined {
  if (json === "") return undefined;
  const parsed = readPlatform(json);
  const { os, architecture, variant } = parsed;
  const optional = variant !== "" || parsed["os.version"] !== "" || parsed["os.features"].length > 0;
  if (os === "" && architecture === "" && optional)
    throw invalid("optional platform fields provided, but OS and Architecture are missing");
  if (os === "" || architecture === "") throw invalid("both OS and Architecture must be provided");
  return [os, architecture, ...(variant === "" ? [] : [variant])].join("/");
}

function readPlatform(json: string) {
  try {
    return parseValue(platform, parseJson(Buffer.from(json)));
  } catch (thrown) {
    throw invalid(`failed to parse platform: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

/** The same of a parameter that may repeat. */
export function platformParameters(values: readonly string[] = []): readonly string[] {
  return values.flatMap((json) => platformParameter(json === "" ? "{}" : json) ?? []);
}

/** The same of a parameter that Docker keeps for several values and takes only one of. */
export function onePlatform(values: readonly string[] = []): string | undefined {
  if (values.length > 1) throw invalid("multiple platform parameters not supported");
  return platformParameter(values[0] ?? "");
}
