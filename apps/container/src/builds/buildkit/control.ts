import type { ClientHttp2Session } from "node:http2";
import type { Actor } from "../../engine/actor.ts";
import { EngineError, isEngineError } from "../../engine/errors.ts";
import type { Log } from "../../engine/log.ts";
import type { FoundImage } from "../../images/catalogue.ts";
import type { IncomingCall } from "./client-session.ts";
import { type Answer, callUnary, failure, isOk, readMessage, sendAnswer } from "./grpc.ts";
import { decode, encode } from "./protos.ts";
import { type PassedHeaders, passedHeaders, relayCall } from "./relay.ts";
import { decideFrontendSolve } from "./solve-request.ts";

/** The call that a message belongs to, for one that asks on behalf of a build. */
const BUILD_HEADER = "buildkit-controlapi-buildid";

/** Calls that change or show nothing but what is the owner's, and pass as they are. */
const PASSED = new Set([
  ...["Status", "ListWorkers", "DiskUsage", "Prune", "Info", "ListenBuildHistory", "UpdateBuildHistory"].map(
    (name) => `/moby.buildkit.v1.Control/${name}`,
  ),
  ...[
    "Ping",
    "Return",
    "Inputs",
    "Warn",
    "Evaluate",
    "ReadFile",
    "ReadDir",
    "StatFile",
    "ResolveImageConfig",
    "ResolveSourceMeta",
  ].map((name) => `/moby.buildkit.v1.frontend.LLBBridge/${name}`),
  ...["Info", "List", "Read", "Status", "ListStatuses"].map(
    (name) => `/containerd.services.content.v1.Content/${name}`,
  ),
  "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
  "/grpc.health.v1.Health/Check",
]);

/** One build in progress as its calls see it. */
export interface OpenSolve {
  readonly hasImage: boolean;
  /** Told of the options that say which base images are wanted. */
  readonly want: (options: Readonly<Record<string, string>>) => void;
  /** Why the door refused the build an image: the reason is told in place of BuildKit's words. */
  readonly refusal: () => unknown;
}

export interface ControlOptions {
  readonly actor: Actor;
  readonly door: string;
  readonly buildKit: ClientHttp2Session;
  readonly log: Log;
  /** Runs a build that was asked for: decides, has `call` build, and takes the image. */
  readonly solve: (request: Buffer, call: (request: Buffer, signal: AbortSignal) => Promise<Answer>) => Promise<Answer>;
  /** A build of the actor's in progress, by the client's id of it. */
  readonly open: (ref: string) => OpenSolve | undefined;
}

/** Answers one call of a client to BuildKit's API. */
export function answerControl(options: ControlOptions, incoming: IncomingCall): void {
  const { stream, path, rawHeaders } = incoming;
  if (PASSED.has(path)) return void relayCall(stream, rawHeaders, options.buildKit);
  answer(options, incoming).then(
    (answer) => sendAnswer(stream, answer),
    (thrown: unknown) => {
      if (!isEngineError(thrown)) options.log.error({ err: thrown, path }, "failed to answer BuildKit's client");
      sendAnswer(stream, failure(thrown));
    },
  );
}

async function answer(options: ControlOptions, { stream, path, rawHeaders }: IncomingCall): Promise<Answer> {
  const headers = passedHeaders(rawHeaders);
  const gone = new AbortController();
  stream.once("close", () => gone.abort(new EngineError("failed", "the client left")));
  const asked = await readMessage(stream);
  if (asked === undefined) throw new EngineError("invalid", "want a message");
  const call = (message: Buffer, signal: AbortSignal) =>
    callUnary(options.buildKit, withoutLength(headers), message, AbortSignal.any([gone.signal, signal]));
  if (path === "/moby.buildkit.v1.Control/Solve") return await options.solve(asked, call);
  if (path === "/moby.buildkit.v1.frontend.LLBBridge/Solve") {
    const solve = options.open(String(headers[BUILD_HEADER] ?? ""));
    if (solve === undefined) throw new EngineError("not-found", "no build of yours with this id is in progress");
    const request = decode("moby.buildkit.v1.frontend.SolveRequest", asked);
    const decided = decideFrontendSolve(options.actor, request, { door: options.door, hasImage: solve.hasImage });
    solve.want(request.FrontendOpt ?? {});
    const answered = await call(encode("moby.buildkit.v1.frontend.SolveRequest", decided), gone.signal);
    return explained(answered, solve.refusal());
  }
  throw new EngineError("unsupported", `${path} is not offered`);
}

/** The answer with the door's reason, where BuildKit failed because of it. */
export function explained(answer: Answer, refusal: unknown): Answer {
  return isOk(answer) || !isEngineError(refusal) ? answer : failure(refusal);
}

/** BuildKit's answer in the terms of the image that is here. */
export function imageAnswer(answer: Answer, { image, index }: FoundImage, names: readonly string[]): Answer {
  const { ExporterResponse: told = {} } = decode("moby.buildkit.v1.SolveResponse", answer.message ?? Buffer.alloc(0));
  const { "containerimage.descriptor": descriptor, ...rest } = told;
  const { digest } = index?.descriptor ?? image.manifest;
  const isExact = rest["containerimage.digest"] === digest;
  const message = encode("moby.buildkit.v1.SolveResponse", {
    ExporterResponse: {
      ...rest,
      ...(isExact && descriptor !== undefined && { "containerimage.descriptor": descriptor }),
      "containerimage.digest": digest,
      "containerimage.config.digest": image.id,
      ...(names.length === 0 ? {} : { "image.name": names.join(",") }),
    },
  });
  return { ...answer, message };
}

function withoutLength({ "content-length": _length, ...headers }: PassedHeaders): PassedHeaders {
  return headers;
}
