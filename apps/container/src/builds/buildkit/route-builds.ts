import { randomBytes } from "node:crypto";
import type { ClientHttp2Session } from "node:http2";
import type { Readable } from "node:stream";
import type { SolveRequest__Output as SolveRequest } from "../../../protos/types/buildkit/moby/buildkit/v1/SolveRequest.d.ts";
import type { Actor } from "../../engine/actor.ts";
import { EngineError, isEngineError } from "../../engine/errors.ts";
import type { Log } from "../../engine/log.ts";
import type { StoredImage } from "../../images/catalogue.ts";
import type { Progress, RegistryAuth } from "../../images/images.ts";
import { HeldRights, watchRights } from "../../policy/held-rights.ts";
import type { BuildWatch } from "../builds.ts";
import type { Door } from "../door/door.ts";
import { Lines } from "../lines.ts";
import { Arrivals } from "./arrivals.ts";
import { type Answer, callHeaders, callStream, callUnary } from "./grpc.ts";
import { encode } from "./protos.ts";
import { type RouteBuild, solveRequestOf } from "./route-request.ts";

const CONTROL = "/moby.buildkit.v1.Control/";
const UPLOAD_PREFIX = "upload-request:";
/** How long a context and the build that it is for wait for each other, as in dockerd. */
const UPLOAD_MS = 5_000;

/** What the route's stream tells: Docker's lines, and what BuildKit tells of its steps in base64. */
export type BuildLine = Progress | { readonly id: string; readonly aux: string };

/** Has BuildKit answer one request. */
export type Call = (request: Buffer, signal: AbortSignal) => Promise<Answer>;

/** What a build came to: BuildKit's answer, with the image that it gave or the fault. */
export interface Solved {
  readonly answer: Answer;
  readonly image?: StoredImage;
  readonly fault?: unknown;
}

export interface RouteBuildsOptions {
  readonly door: Pick<Door, "offer">;
  /** Where BuildKit finds the door. */
  readonly doorAddress: string;
  /** A connection of BuildKit's API to the actor's BuildKit. Throws EngineError. */
  readonly connect: (actor: Actor) => Promise<ClientHttp2Session>;
  /** Opens a session that has no client, and gives its id and what ends it. */
  readonly openSession: (
    rights: HeldRights,
    auths: Readonly<Record<string, RegistryAuth>>,
  ) => Promise<{ readonly id: string; readonly close: () => void }>;
  /** Decides on a build, has `call` run it, and takes its image. Throws EngineError. */
  readonly solve: (
    rights: HeldRights,
    request: SolveRequest,
    how: { readonly call: Call; readonly context: string | undefined },
  ) => Promise<Solved>;
  readonly log: Log;
}

interface Running {
  readonly actor: Actor;
  readonly buildId: string;
  readonly end: AbortController;
}

/** Builds by BuildKit for clients of Docker's own route: `POST /build?version=2`. */
export class RouteBuilds {
  readonly #options: RouteBuildsOptions;
  readonly #running = new Set<Running>();
  /** Contexts that came by requests of their own; a call takes one. */
  readonly #uploads = new Arrivals<() => Readable>("no context came for the build");

  constructor(options: RouteBuildsOptions) {
    this.#options = options;
  }

  /**
   * Builds as the returned stream is read; a failure after BuildKit has begun is its last line. A request that only brings a context
   * has nothing to tell, and is answered once that is read. Throws EngineError.
   */
  async build(actor: Actor, asked: RouteBuild, { signal, endUnless }: BuildWatch): Promise<AsyncIterable<BuildLine>> {
    const { buildId } = asked;
    const end = new AbortController();
    const lines = new Lines<BuildLine>(() => end.abort(new EngineError("failed", "the client left")));
    if (buildId.startsWith(UPLOAD_PREFIX)) {
      await this.#upload(uploadOf(actor, buildId.slice(UPLOAD_PREFIX.length)), asked.body);
      lines.end();
      return lines;
    }
    const rights = new HeldRights(actor);
    watchRights(rights, endUnless, end);
    const running = { actor, buildId, end };
    this.#running.add(running);
    const ending = AbortSignal.any([signal, end.signal]);
    ending.addEventListener("abort", () => lines.hurry(), { once: true });
    return await new Promise((resolve, reject) => {
      this.#run(rights, asked, { lines, signal: ending, begin: () => resolve(lines) })
        .catch((thrown: unknown) => {
          const reason: unknown = end.signal.aborted ? end.signal.reason : thrown;
          if (!isEngineError(reason)) this.#options.log.error({ err: reason }, "a build by BuildKit failed");
          reject(reason);
          const message = isEngineError(reason) ? reason.message : "internal error";
          return lines.push({ errorDetail: { message }, error: message });
        })
        .finally(() => {
          this.#running.delete(running);
          lines.end();
        });
    });
  }

  /** Ends the actor's builds of this id. */
  cancel(actor: Actor, buildId: string): void {
    for (const { actor: owner, buildId: id, end } of this.#running)
      if (id === buildId && (actor.kind === "administrator" || actor.id === owner.id))
        end.abort(new EngineError("failed", "the build was cancelled"));
  }

  async #run(
    rights: HeldRights,
    asked: RouteBuild,
    {
      lines,
      signal,
      begin,
    }: { readonly lines: Lines<BuildLine>; readonly signal: AbortSignal; readonly begin: () => void },
  ): Promise<void> {
    const { openSession, connect, solve } = this.#options;
    const { actor } = rights;
    const buildKit = await connect(actor);
    const closing: (() => void)[] = [() => buildKit.destroy()];
    try {
      const { session, auths, output } = asked;
      const own = session === "" ? await openSession(rights, auths) : undefined;
      if (own !== undefined) closing.push(own.close);
      const context = await this.#contextOf(actor, asked);
      closing.push(context.withdraw);
      const ref = randomBytes(13).toString("hex");
      const request = solveRequestOf(asked, { ref, session: own?.id ?? session, context: context.url });
      let told = Promise.resolve();
      const call: Call = (bytes, timeout) => {
        const both = AbortSignal.any([signal, timeout]);
        begin();
        told = tell(buildKit, ref, both, async (line) => {
          if (output === "all") await lines.push(line);
        });
        // Whoever waits for the build hears of its end.
        told.catch(() => undefined);
        return callUnary(buildKit, callHeaders(`${CONTROL}Solve`), bytes, both);
      };
      const { image, fault } = await solve(rights, request, { call, context: context.offered });
      await told;
      if (fault !== undefined) throw fault;
      if (image === undefined) return;
      await lines.push(output === "all" ? { id: "moby.image.id", aux: { ID: image.id } } : { stream: `${image.id}\n` });
    } finally {
      for (const close of closing.reverse()) close();
    }
  }

  /** The context's URL, "" for the session's files, and whether Berth offers it. */
  async #contextOf(actor: Actor, { remote, buildId, body }: RouteBuild) {
    const { door, doorAddress } = this.#options;
    const none = { offered: undefined, withdraw: () => undefined };
    if (remote === "client-session") return { url: "", ...none };
    if (remote !== "" && remote !== "upload-request") return { url: remote, ...none };
    const content = remote === "" ? body : (await this.#uploads.get(uploadOf(actor, buildId), UPLOAD_MS))();
    const { path, withdraw } = door.offer(content);
    const url = `http://${doorAddress}${path}`;
    return { url, offered: url, withdraw };
  }

  /** Keeps a context for the build that waits for it, and settles once it is read. Throws `not-found` if none takes it. */
  async #upload(name: string, body: Readable): Promise<void> {
    if (this.#uploads.has(name)) throw new EngineError("conflict", "the build already has a context");
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new EngineError("not-found", "no build waits for this context")),
        UPLOAD_MS,
      );
      body.once("close", resolve);
      body.once("end", resolve);
      this.#uploads.add(name, () => {
        clearTimeout(timer);
        return body;
      });
    }).finally(() => this.#uploads.delete(name));
  }
}

function uploadOf({ id }: Actor, buildId: string): string {
  return `${id ?? ""}/${buildId}`;
}

/** Passes on what BuildKit tells of a build, until that ends. */
async function tell(
  buildKit: ClientHttp2Session,
  ref: string,
  signal: AbortSignal,
  show: (line: BuildLine) => Promise<void>,
): Promise<void> {
  const asked = encode("moby.buildkit.v1.StatusRequest", { Ref: ref });
  for await (const message of callStream(buildKit, callHeaders(`${CONTROL}Status`), asked, signal))
    await show({ id: "moby.buildkit.trace", aux: message.toString("base64") });
}
