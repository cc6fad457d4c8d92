/** What a call acts on, as its path or its query says: a reference to look up, or a name. */
type Subject = "container" | "exec" | "image" | "network" | "volume" | "build" | "port" | "place" | "engine";

/** A call that the record of actions has. */
export interface RecordedCall {
  readonly action: string;
  readonly subject: Subject;
  /** The reference in the path; empty where there is none. */
  readonly ref: string;
  /** Whether it is recorded when it succeeds; what merely prepares is only recorded when it is refused or fails. */
  readonly whenDone: boolean;
}

type Row = readonly [methods: string, path: RegExp, action: string, subject: Subject, when?: "unless-done"];

/** Every call that changes something, or that takes data out of a container. `VERB` stands for the path's last segment. */
const CALLS: readonly Row[] = [
  ["POST", /^\/containers\/create$/, "container.create", "container"],
  ["POST", /^\/containers\/prune$/, "container.prune", "engine"],
  [
    "POST",
    /^\/containers\/([^/]+)\/(start|stop|restart|kill|pause|unpause|rename|update|attach)$/,
    "container.VERB",
    "container",
  ],
  ["GET", /^\/containers\/([^/]+)\/attach\/ws$/, "container.attach", "container"],
  ["DELETE", /^\/containers\/(.+)$/, "container.remove", "container"],
  ["PUT", /^\/containers\/([^/]+)\/archive$/, "container.write", "container"],
  ["GET", /^\/containers\/([^/]+)\/(?:archive|export)$/, "container.read", "container"],
  ["POST", /^\/containers\/([^/]+)\/exec$/, "container.exec", "container", "unless-done"],
  ["POST", /^\/exec\/([^/]+)\/start$/, "container.exec", "exec"],
  ["POST", /^\/commit$/, "image.commit", "image"],
  ["POST", /^\/images\/create$/, "image.pull", "image"],
  ["POST", /^\/images\/(load|prune)$/, "image.VERB", "engine"],
  ["POST", /^\/images\/(.+)\/(push|tag)$/, "image.VERB", "image"],
  ["DELETE", /^\/images\/(.+)$/, "image.remove", "image"],
  ["POST", /^\/build$/, "image.build", "image"],
  ["POST", /^\/build\/(prune|cancel)$/, "build.VERB", "engine"],
  ["POST", /^\/(?:networks)\/create$/, "network.create", "network"],
  ["POST", /^\/networks\/prune$/, "network.prune", "engine"],
  ["POST", /^\/networks\/(.+)\/(connect|disconnect)$/, "network.VERB", "network"],
  ["DELETE", /^\/networks\/(.+)$/, "network.remove", "network"],
  ["POST", /^\/volumes\/create$/, "volume.create", "volume"],
  ["POST", /^\/volumes\/prune$/, "volume.prune", "engine"],
  ["DELETE", /^\/volumes\/(.+)$/, "volume.remove", "volume"],
  ["POST", /^\/berth\/ports\/reservations$/, "port.reserve", "port"],
  ["DELETE", /^\/berth\/ports\/reservations\/([^/]+)$/, "port.unreserve", "port"],
  ["POST", /^\/berth\/places$/, "place.take", "place"],
  ["POST", /^\/berth\/places\/([^/]+)\/extend$/, "place.extend", "place"],
  ["DELETE", /^\/berth\/places\/([^/]+)$/, "place.give", "place"],
  ["POST", /^\/berth\/enforce$/, "engine.enforce", "engine"],
];

/** How a call is recorded. One that no row has is recorded as `engine.call` when it is refused. `path` carries no version. */
export function recordedCall(method: string, path: string): RecordedCall {
  for (const [methods, pattern, action, subject, when] of CALLS) {
    const match = methods === method ? pattern.exec(path) : null;
    if (match === null) continue;
    const verb = match.at(-1) ?? "";
    const hasRef = match.length > (action.endsWith("VERB") ? 2 : 1);
    return {
      action: action.replace("VERB", verb),
      subject,
      ref: hasRef ? decoded(match[1] ?? "") : "",
      whenDone: when === undefined,
    };
  }
  return { action: "engine.call", subject: "engine", ref: "", whenDone: false };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
