import { setTimeout as delay } from "node:timers/promises";
import type { Hono } from "hono";
import { z } from "zod";
import type { WaitCondition } from "../../containers/containers.ts";
import type { Output, OutputChunk } from "../../containers/records/runtime.ts";
import { mapped } from "../../engine/concurrency/iterate.ts";
import { EngineError, isEngineError, unlessAbsent } from "../../engine/errors.ts";
import { flag, formatTimestamp, parseQuery, parseTimestamp, text } from "../decode/query.ts";
import { type Sample, statsShape } from "../encode/stats-shape.ts";
import type { Deps, Edge } from "../http/edge.ts";
import { encodeOutput } from "../http/raw-stream.ts";
import { streamType } from "../http/session.ts";
import { streamBody } from "../http/streaming.ts";
import { SINCE } from "../versions/changes.ts";

const logsQuery = z.object({
  stdout: flag(),
  stderr: flag(),
  follow: flag(),
  timestamps: flag(),
  details: flag(),
  since: text(),
  until: text(),
  tail: text(),
});
const waitQuery = z.object({ condition: text() });
const statsQuery = z.object({ stream: flag({ absent: true }), "one-shot": flag() });
const sizeQuery = z.object({ h: text(), w: text() });

const WAIT_CONDITIONS: readonly string[] = ["not-running", "next-exit", "removed"] satisfies readonly WaitCondition[];

/** Interval between two stats, in milliseconds. */
const STATS_INTERVAL = 1000;

/** The largest number that Go's `uint32` holds. */
const MAX_SIZE = 2 ** 32 - 1;

/** Reads one side of a terminal's size, as moby's `httputils.Uint32Value`. Throws `invalid`. */
function sizeOf(side: "height" | "width", value: string): number {
  const fault = /^-?\d+$/.test(value)
    ? value.startsWith("-") || Number(value) > MAX_SIZE
      ? "value out of range"
      : undefined
    : "invalid syntax";
  if (fault !== undefined)
    throw new EngineError("invalid", `invalid resize ${side} ${JSON.stringify(value)}: ${fault}`);
  return Number(value);
}

/** Parses a terminal size; both values are required. Throws `invalid`. */
export function terminalSize(query: Readonly<Record<string, string>>) {
  const { h, w } = parseQuery(sizeQuery, query);
  return { height: sizeOf("height", h), width: sizeOf("width", w) };
}

/** Docker's format of `details` before a line: query-escaped. */
function detailsOf(attributes: readonly (readonly [string, string])[]): string {
  return `${new URLSearchParams(attributes.map(([name, value]): [string, string] => [name, value])).toString().replaceAll("&", ",")} `;
}

/** Inserts `prefixOf` before each line; a line may span several chunks. */
function withPrefix(output: Output<OutputChunk>, prefixOf: (chunk: OutputChunk) => string): Output<OutputChunk> {
  const open = new Set<OutputChunk["stream"]>();
  const prefixed = (chunk: OutputChunk): OutputChunk => {
    const begins = !open.has(chunk.stream);
    if (chunk.data.at(-1) === 10) open.delete(chunk.stream);
    else open.add(chunk.stream);
    return begins ? { ...chunk, data: Buffer.concat([Buffer.from(prefixOf(chunk)), chunk.data]) } : chunk;
  };
  return mapped(output, (chunks) => chunks.map(prefixed));
}

/** Docker treats negative and non-numeric values as all lines. */
function tailOf(value: string): { readonly tail?: number } {
  return /^\d{1,9}$/.test(value) ? { tail: Number(value) } : {};
}

function bound(name: "since" | "until", value: string): Partial<Record<"since" | "until", string>> {
  const time = parseTimestamp(name, value);
  return time === undefined || time === 0n ? {} : { [name]: formatTimestamp(time) };
}

/** The routes that stream from a container, and the two that wait for it. */
export function streamRoutes(app: Hono<Edge>, deps: Deps): void {
  const { containers, host } = deps;

  app.get("/containers/:id/logs", async (context) => {
    const query = parseQuery(logsQuery, context.req.query());
    if (!query.stdout && !query.stderr) {
      throw new EngineError("invalid", "Bad parameters: you must choose at least one stream");
    }
    const gone = new AbortController();
    const { terminal, output, attributes } = await containers.logs(context.get("actor"), context.req.param("id"), {
      stdout: query.stdout,
      stderr: query.stderr,
      follow: query.follow,
      ...tailOf(query.tail),
      ...bound("since", query.since),
      ...bound("until", query.until),
      signal: gone.signal,
    });
    const details = query.details ? detailsOf(attributes) : "";
    const prefixOf = ({ time }: OutputChunk) => `${query.timestamps ? `${time} ` : ""}${details}`;
    const plain = !query.timestamps && !query.details;
    const bytes = encodeOutput(plain ? output : withPrefix(output, prefixOf), { terminal });
    return context.body(streamBody(bytes, gone), 200, { "Content-Type": streamType(context, { terminal }) });
  });

  app.post("/containers/:id/wait", async (context) => {
    const { condition } = parseQuery(waitQuery, context.req.query());
    const version = context.get("version");
    const known = WAIT_CONDITIONS.includes(condition);
    const honoured = version >= SINCE.waitConditions;
    if (!known && condition !== "" && honoured) {
      throw new EngineError("invalid", `invalid condition: ${JSON.stringify(condition)}`);
    }
    const wanted = known && honoured ? (condition as WaitCondition) : "not-running";
    const { exit } = await containers.wait(context.get("actor"), context.req.param("id"), wanted);
    async function* body(): AsyncGenerator<string> {
      const { statusCode, error } = await exit;
      yield `${JSON.stringify({ StatusCode: statusCode, ...(error !== undefined && { Error: { Message: error } }) })}\n`;
    }
    // Send the head now: `docker run` waits for it before it starts the container.
    return context.body(streamBody(body(), new AbortController()), 200, { "Content-Type": "application/json" });
  });

  app.post("/containers/:id/resize", async (context) => {
    await containers.resize(context.get("actor"), context.req.param("id"), terminalSize(context.req.query()));
    return context.body(null, 200);
  });

  app.get("/containers/:id/stats", async (context) => {
    const query = parseQuery(statsQuery, context.req.query());
    const actor = context.get("actor");
    const ref = context.req.param("id");
    const gone = new AbortController();
    const measure = async () => {
      const { view, stats } = await containers.stats(actor, ref);
      const { hostConfig, state } = view.container;
      const own = stats !== undefined && hostConfig.NetworkMode !== "host";
      const [systemCpu, interfaces] = await Promise.all([host.cpuTime(), own ? host.interfaces(state.pid) : undefined]);
      const sample: Sample = { stats, systemCpu, cpus: host.facts.cpus, hostMemory: host.facts.memory, interfaces };
      return { container: view.container, sample };
    };
    const line = ({ container, sample: now }: Awaited<ReturnType<typeof measure>>, before?: Sample): string =>
      `${JSON.stringify(statsShape(container, { now, before }))}\n`;
    const headers = { "Content-Type": "application/json" };
    const first = await measure();
    if (!query.stream) {
      const once = query["one-shot"] && context.get("version") >= SINCE.statsOneShot;
      if (once || first.sample.stats === undefined) return context.body(line(first), 200, headers);
      await delay(STATS_INTERVAL);
      const now = await measure().catch(unlessAbsent);
      return context.body(now === undefined ? "" : line(now, first.sample), 200, headers);
    }
    async function* body(): AsyncGenerator<string> {
      yield line(first);
      for (let before = first.sample; ; ) {
        await delay(STATS_INTERVAL, undefined, { signal: gone.signal });
        const now = await measure();
        yield line(now, before);
        before = now.sample;
      }
    }
    return context.body(streamBody(untilGone(body(), gone.signal), gone), 200, headers);
  });
}

/** Ends quietly if the client disconnected or the container was removed. */
async function* untilGone(source: AsyncIterable<string>, gone: AbortSignal): AsyncGenerator<string> {
  try {
    yield* source;
  } catch (thrown) {
    if (!gone.aborted && !isEngineError(thrown, "not-found")) throw thrown;
  }
}
