import type { Answer } from "../../scripts/ask.mjs";
import type { Berth } from "../berth.testing.ts";
import type { Step } from "./bug-reports.testing.ts";

const VERSION = "/v1.41";

/** The reports' limits tell an end from none; a busy machine gets this many milliseconds, fewer than a stop's usual grace. */
const PATIENCE = 9000;

/** Method and path as a step asks for them: `{now-5}` and saved names filled in, the query encoded. */
export function requestOf({ req, abs = false }: Step, saved: ReadonlyMap<string, string>) {
  const [method = "GET", ...rest] = req.split(" ");
  const filled = rest
    .join(" ")
    .replaceAll(/\{now([+-]\d+)\}/g, (_, seconds) => String(Math.floor(Date.now() / 1000) + Number(seconds)))
    .replaceAll(/\{([A-Z]\w*)\}/g, (whole, name) => saved.get(name) ?? whole);
  const [path, query] = filled.split(/\?(.*)/s);
  const encoded = query
    ?.split("&")
    .map((pair) => pair.replace(/=(.*)/s, (_, value) => `=${encodeURIComponent(value)}`))
    .join("&");
  return { method, path: `${abs ? "" : VERSION}${path}${encoded === undefined ? "" : `?${encoded}`}` };
}

/** Takes a step and keeps what it saves. */
export async function take(berth: Berth, step: Step, saved: Map<string, string>): Promise<Answer> {
  const { method, path } = requestOf(step, saved);
  const answer = await berth.ask(method, path, {
    json: step.json,
    headers: { ...step.headers },
    ...(step.maxMs === undefined ? {} : { timeout: Math.max(step.maxMs, PATIENCE) }),
  });
  for (const [name, key] of Object.entries(step.save ?? {})) saved.set(name, String(answer.json?.[key]));
  return answer;
}
