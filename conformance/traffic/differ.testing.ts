import type { Difference } from "./differences.testing.ts";
import type { Recorded } from "./play.mjs";

export type Recording = Readonly<Record<string, Recorded>>;

/** One place where two recordings differ; undefined is nothing there. */
export interface Found {
  /** The command and, where one of its exchanges differs, the request. */
  readonly where: string;
  readonly place: string;
  readonly recorded: string | undefined;
  readonly played: string | undefined;
}

/** Where what was played differs from what was recorded. */
export function differ(recorded: Recording, played: Recording): readonly Found[] {
  return Object.entries(recorded).flatMap(([command, { codes, exchanges }]) => {
    const other = played[command] ?? { codes: [], exchanges: {} };
    const ended = other.codes.filter((code) => !codes.includes(code));
    const found: Found[] = ended.map((code) => ({
      where: command,
      place: "exit code",
      recorded: codes.join("|"),
      played: String(code),
    }));
    // A request of the recording may be missing: it is of every version of the CLI.
    for (const [request, shape] of Object.entries(other.exchanges)) {
      const where = `${command} > ${request}`;
      const wanted = exchanges[request];
      if (wanted === undefined) found.push({ where, place: "request", recorded: undefined, played: "sent" });
      else found.push(...differingPlaces(where, wanted, shape));
    }
    return found;
  });
}

function differingPlaces(
  where: string,
  recorded: Readonly<Record<string, string>>,
  played: Readonly<Record<string, string>>,
): readonly Found[] {
  const places = [...new Set([...Object.keys(recorded), ...Object.keys(played)])];
  const within = (place: string) =>
    played[place]?.split("|").every((type) => recorded[place]?.split("|").includes(type)) ??
    recorded[place] === undefined;
  const orphan = (place: string, shape: Readonly<Record<string, string>>) => {
    const parent = place.slice(0, place.lastIndexOf("/")) || "/";
    return place !== "/" && place.includes("/") && !/object|array/.test(shape[parent] ?? "");
  };
  return (
    places
      .filter((place) => !within(place))
      // What lies below a place that is missing, or null, is missing with it.
      .filter((place) => !orphan(place, recorded) && !orphan(place, played))
      .map((place) => ({ where, place, recorded: recorded[place], played: played[place] }))
  );
}

/** Parts what the list explains from the rest, and names the entries that explain nothing any more. */
export function explained(found: readonly Found[], differences: readonly Difference[]) {
  const used = new Set<Difference>();
  const rest = found.filter((one) => {
    const reason = differences.find(
      ({ where, place, recorded = "*", played = "*" }) =>
        matches(where, one.where) &&
        matches(place, one.place) &&
        matches(recorded, one.recorded ?? "nothing") &&
        matches(played, one.played ?? "nothing"),
    );
    if (reason !== undefined) used.add(reason);
    return reason === undefined;
  });
  return { rest, unused: differences.filter((difference) => !used.has(difference) && difference.sometimes !== true) };
}

function matches(pattern: string, text: string): boolean {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(text);
}
