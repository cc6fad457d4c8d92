import { ask, DirectoryUnavailable } from "@berth/directory-client";
import { parsePlacePorts } from "@berth/directory-domain";
import { z } from "zod";
import { EngineError } from "../engine/errors.ts";
import type { PlacesAnswer, ReportPlaces } from "../engine/fleet-report.ts";

/** How long the directory may wait for a change before it answers. */
const HOLD_SECONDS = 10;
const TIMEOUT_MS = HOLD_SECONDS * 1_000 + 5_000;
const MAX_REASON = 4_000;

interface Connection {
  readonly url: string;
  /** The service's own, with the scope `report`. */
  readonly token: string;
  /** The name of this host in the directory. */
  readonly host: string;
  readonly fetch?: typeof fetch;
}

const port = z.string().transform((text, context) => {
  const ports = parsePlacePorts(text);
  if (ports !== undefined) return ports;
  context.addIssue(`${JSON.stringify(text)} is no host port`);
  return z.NEVER;
});
const place = z
  .object({
    grant: z.int(),
    name: z.string(),
    userId: z.int(),
    memory: z.number(),
    cpus: z.number(),
    pids: z.number(),
    ports: z.array(port),
    secondsLeft: z.number().nullable(),
    pod: z.string().nullish(),
  })
  .transform(({ userId, memory, cpus, pids, secondsLeft, pod, ...rest }) => ({
    ...rest,
    user: String(userId),
    size: { memory, cpu: cpus, pids },
    ...{ secondsLeft: secondsLeft ?? undefined, pod: pod ?? undefined },
  }));
const ANSWER: z.ZodType<PlacesAnswer> = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("accepted"), turn: z.int(), places: z.array(place) }),
  z.object({ outcome: z.literal("stale"), turn: z.int() }),
  z.object({ outcome: z.literal("unknown") }),
]);

/** Reports this host's places to the directory's fleet. */
export function createReportPlaces({ url, token, host, fetch: fetching = fetch }: Connection): ReportPlaces {
  const path = `/api/fleet/hosts/${encodeURIComponent(host)}`;
  return async ({ turn, address, size, places, refused }, signal) => {
    const body = {
      ...{ turn: turn ?? null, waitSeconds: HOLD_SECONDS, address, memory: size.memory, cpus: size.cpu },
      places: places.map(({ secondsLeft, ...one }) => ({ ...one, secondsLeft: secondsLeft ?? null })),
      refused: refused.map(({ grant, reason }) => ({ grant, reason: reason.slice(0, MAX_REASON) })),
    };
    const withSignal: typeof fetch = (input, init) =>
      fetching(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal });
    const connection = { url, fetch: withSignal, timeout: TIMEOUT_MS };
    const answer = await ask(connection, { method: "PUT", path, token, body }).catch((cause: unknown) => {
      if (!(cause instanceof DirectoryUnavailable)) throw cause;
      throw new EngineError("unavailable", "the fleet's directory cannot be reached", { cause });
    });
    if (!answer.ok)
      throw new EngineError("unavailable", `the fleet's directory does not take this host: ${answer.detail}`);
    const read = ANSWER.safeParse(answer.body);
    if (!read.success)
      throw new EngineError(
        "unavailable",
        `the fleet's directory answers what cannot be read: ${z.prettifyError(read.error)}`,
      );
    return read.data;
  };
}
