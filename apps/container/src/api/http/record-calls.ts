import type { MiddlewareHandler } from "hono";
import type { NoteBuild } from "../../builds/buildkit/buildkit.ts";
import type { ActedOn } from "../../containers/containers.ts";
import type { Action, Via } from "../../engine/action.ts";
import { isEngineError } from "../../engine/errors.ts";
import type { Deps, Edge, EdgeContext, Listener } from "./edge.ts";
import { type RecordedCall, recordedCall } from "./recorded-calls.ts";
import { splitRequestTarget } from "./request-path.ts";

const LONGEST_NAME = 300;
const LONGEST_REASON = 2_000;

/** Errors that say no, as opposed to those that say why it did not work. */
const REFUSALS: ReadonlySet<string> = new Set(["forbidden", "unauthorized", "too-many"]);

/**
 * Records what each request did, or that it was refused and why, once it is answered. Stands before the identification, whose refusals
 * it records too; `noteSubject` then looks up what the request is about.
 */
export function recordCalls({ actions }: Pick<Deps, "actions">): MiddlewareHandler<Edge> {
  return async (context, next) => {
    const address = addressOf(context);
    const call = callOf(context);
    context.set("call", call);
    await next();
    const ending = outcomeOf(context);
    if (ending.outcome !== "refused" && call.action === "engine.call") return;
    if (ending.outcome === "done" && !call.whenDone) return;
    const actor = context.get("actor") as Edge["Variables"]["actor"] | undefined;
    const about = context.get("actedOn") ?? {};
    const isKnown = actor !== undefined;
    actions.record({
      ...authorOf(context),
      address,
      action: isKnown ? call.action : "engine.authenticate",
      target: isKnown ? targetOf(call, about) : "engine",
      name: about.name && printable(about.name, LONGEST_NAME),
      owner: about.owner,
      image: about.image && printable(about.image, LONGEST_NAME),
      ...ending,
    });
  };
}

/** Of a client that is gone by the end, or whose connection was handed over, it has to be asked before. */
function addressOf(context: EdgeContext): string | undefined {
  return context.env?.incoming?.socket.remoteAddress;
}

/** Who sends the request, and how, as the record has it. */
function authorOf(context: EdgeContext): Pick<Action, "actor" | "login" | "via" | "bypass"> {
  const actor = context.get("actor") as Edge["Variables"]["actor"] | undefined;
  return { actor: actor?.id, login: actor?.login, via: viaOf(context), bypass: actor?.kind === "administrator" };
}

/** Records builds whose requests come over this request's connection, each once it has ended. */
export function buildRecorder(context: EdgeContext, { actions }: Pick<Deps, "actions">): NoteBuild {
  const author = { ...authorOf(context), address: addressOf(context) };
  return ({ name = "", fault }) => {
    const known = printable(name, LONGEST_NAME) || undefined;
    const target = known === undefined ? "engine" : `image/${known}`;
    actions.record({
      ...author,
      action: "image.build",
      target,
      name: known,
      owner: undefined,
      image: undefined,
      ...(fault === undefined ? DONE : endingOf(fault)),
    });
  };
}

/** Looks up what the request is about while it is still there: a removal leaves nothing to look up. */
export function noteSubject(context: EdgeContext, { containers }: Pick<Deps, "containers">): void {
  const { subject, ref } = context.get("call");
  if (ref === "" && subject !== "image") return;
  const actor = context.get("actor");
  if (subject === "container" || subject === "exec") context.set("actedOn", containers.actedOn(actor, subject, ref));
  else context.set("actedOn", { name: ref === "" ? imageOf(context) : ref });
}

/** The image that a call's query names, without credentials that somebody put before its host. */
function imageOf(context: EdgeContext): string | undefined {
  const { fromImage = "", tag = "", t = "", repo = "" } = context.req.query();
  const [named = ""] = [fromImage, t, repo].filter((text) => text !== "");
  if (named === "") return undefined;
  const whole = tag === "" ? named : `${named}${tag.includes(":") ? "@" : ":"}${tag}`;
  return whole.replace(/^.*@(?!sha\d+:)/, "");
}

function callOf(context: EdgeContext): RecordedCall {
  const { path } = splitRequestTarget(context.env?.incoming?.url ?? context.req.raw.url);
  return recordedCall(context.req.method, path);
}

/** An error's text may repeat what the request carried, so that only refusals are quoted: they speak of rules. */
function endingOf(fault: unknown): Pick<Action, "outcome" | "reason"> {
  if (!isEngineError(fault)) return { outcome: "failed", reason: "internal error" };
  return REFUSALS.has(fault.kind)
    ? { outcome: "refused", reason: printable(fault.message, LONGEST_REASON) }
    : { outcome: "failed", reason: fault.kind };
}

const DONE = { outcome: "done", reason: undefined } as const;

function outcomeOf({ error, res }: EdgeContext): Pick<Action, "outcome" | "reason"> {
  if (error !== undefined) return endingOf(error);
  return res.status >= 400 ? { outcome: "failed", reason: `status ${res.status}` } : DONE;
}

const VIA: Readonly<Record<Exclude<Listener["kind"], "tls">, Via>> = {
  unix: "administrators-socket",
  user: "user-socket",
  tcp: "token",
};

function viaOf(context: EdgeContext): Via {
  const kind = context.env?.listener?.kind ?? "tcp";
  if (kind !== "tls") return VIA[kind];
  return context.req.header("authorization") === undefined ? "certificate" : "token";
}

function targetOf({ subject, ref }: RecordedCall, { id, name }: ActedOn): string {
  const kind = subject === "exec" ? "container" : subject;
  const which = printable(id ?? name ?? ref, LONGEST_NAME);
  return kind === "engine" || which === "" ? "engine" : `${kind}/${which}`;
}

/** One line of text, cut if it is long. */
function printable(text: string, longest: number): string {
  const line = text.replaceAll(/\s+/g, " ").replaceAll(/\p{C}/gu, "").trim();
  return line.length > longest ? `${[...line.slice(0, longest - 1)].join("")}…` : line;
}
