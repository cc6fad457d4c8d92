import { randomBytes } from "node:crypto";
import { access } from "node:fs/promises";
import type { Duplex } from "node:stream";
import type { SolveRequest__Output as SolveRequest } from "../../../protos/types/buildkit/moby/buildkit/v1/SolveRequest.d.ts";
import type { Actor } from "../../engine/actor.ts";
import type { Clock } from "../../engine/clock.ts";
import { EngineError, isEngineError } from "../../engine/errors.ts";
import type { RegistryAuth } from "../../images/images.ts";
import { nameImage } from "../../images/name-image.ts";
import { formatFamiliar, type Reference } from "../../images/reference/reference.ts";
import { assertHostReachAllowed, assertStorageAllowed, mayReachHost } from "../../policy/containers.ts";
import { type EndUnless, HeldRights } from "../../policy/held-rights.ts";
import { imageNamer } from "../../policy/images.ts";
import { NO_BUILDER } from "../builder.ts";
import type { BuildWatch } from "../builds.ts";
import { RESULT_REPOSITORY } from "../door/names.ts";
import { namesOf } from "../name-result.ts";
import { tagOf } from "../prepare-build.ts";
import type { BuildNames } from "../store.ts";
import type { WorkContext } from "../work-context.ts";
import { connectHttp2, readOffer, serveHttp2 } from "./client-session.ts";
import { answerControl, explained, imageAnswer, type OpenSolve } from "./control.ts";
import { type BuildKitAddress, dialControl, dialSession } from "./dial.ts";
import { type Answer, failure, isOk, messageOf, sendAnswer } from "./grpc.ts";
import { decode, encode } from "./protos.ts";
import { type BuildLine, type Call, RouteBuilds, type Solved } from "./route-builds.ts";
import type { RouteBuild } from "./route-request.ts";
import { keyOf, Sessions } from "./sessions.ts";
import { decideSolve } from "./solve-request.ts";

/** Takes down a build that has ended: the first name of its image, if it has one, and what refused or failed it. */
export type NoteBuild = (build: { readonly name: string | undefined; readonly fault: unknown }) => void;

/** BuildKit's API for those who have a BuildKit. What runs by it ends with a right that it needs. Throws EngineError. */
export interface BuildKitApi {
  /** Whether the actor has a BuildKit: what `_ping` tells. */
  isOffered(actor: Actor): Promise<boolean>;
  /** Reaches the actor's BuildKit for a client's calls; what it returns takes the client's connection. Each build is noted at its end. */
  openControl(actor: Actor, endUnless: EndUnless, note: NoteBuild): Promise<(client: Duplex) => void>;
  /** Reaches the actor's BuildKit for a client's session, of which the request's headers tell. */
  openSession(actor: Actor, endUnless: EndUnless, rawHeaders: readonly string[]): Promise<(client: Duplex) => void>;
  /** Builds for a client of Docker's own route, as the returned stream is read. A failure after BuildKit has begun is its last line. */
  build(actor: Actor, asked: RouteBuild, watch: BuildWatch): Promise<AsyncIterable<BuildLine>>;
  /** Ends the actor's builds that came by that route with this id. */
  cancel(actor: Actor, buildId: string): void;
}

export interface BuildKitOptions
  extends Pick<WorkContext, "door" | "images" | "imageContext" | "storageOf" | "queue" | "builder" | "store" | "log"> {
  readonly clock: Clock;
  /** Undefined for no BuildKit. In a socket's path, `{login}` stands for whom it is. */
  readonly address: BuildKitAddress | undefined;
  /** Where BuildKit finds the door. */
  readonly doorAddress: string;
  /** How long a build may take. */
  readonly timeoutMs: number;
}

const PLACEHOLDER = "{login}";

/** A login that is the name of a file. */
const PLAIN_LOGIN = /^[A-Za-z0-9][A-Za-z0-9._@-]*$/;

const NOT_OFFERED =
  "BuildKit's API is not offered: set DOCKER_BUILDKIT=0, or build with `docker buildx create --use --driver docker-container`";

/**
 * Terminates BuildKit's API between Docker's clients and a BuildKit: decides on builds, gives them images through the door, and takes
 * their results. A user has a BuildKit only where each has one: a shared one would share caches, which a build can fill with what it
 * likes.
 */
export class BuildKit implements BuildKitApi {
  readonly #options: BuildKitOptions;
  readonly #sessions: Sessions;
  readonly #solves = new Map<string, OpenSolve>();
  readonly #sockets = new Set<Duplex>();
  readonly #routeBuilds: RouteBuilds;

  constructor(options: BuildKitOptions) {
    this.#options = options;
    this.#sessions = new Sessions(options);
    this.#routeBuilds = new RouteBuilds({
      ...options,
      connect: async (actor) => {
        const socket = await dialControl(await this.#reach(actor));
        this.#join(socket);
        return connectHttp2(socket);
      },
      openSession: this.#openOwnSession.bind(this),
      solve: this.#solve.bind(this),
    });
  }

  build(actor: Actor, asked: RouteBuild, watch: BuildWatch): Promise<AsyncIterable<BuildLine>> {
    return this.#routeBuilds.build(actor, asked, watch);
  }

  cancel(actor: Actor, buildId: string): void {
    this.#routeBuilds.cancel(actor, buildId);
  }

  async isOffered(actor: Actor): Promise<boolean> {
    return (await this.#addressOf(actor)) !== undefined;
  }

  async openControl(actor: Actor, endUnless: EndUnless, note: NoteBuild): Promise<(client: Duplex) => void> {
    const rights = new HeldRights(actor);
    endUnless((now) => rights.renew(now));
    const { log, doorAddress: door } = this.#options;
    const address = await this.#reach(actor);
    const socket = await dialControl(address).catch((thrown: unknown) => {
      // buildx takes another driver where the connection is refused, and tells of that one's trouble: each call gets the reason instead.
      if (isEngineError(thrown, "unavailable")) return thrown;
      throw thrown;
    });
    if (socket instanceof EngineError) {
      log.warn({ err: socket }, "failed to reach BuildKit");
      return (client) => {
        this.#join(client);
        serveHttp2(client, ({ stream }) => sendAnswer(stream, failure(socket)));
      };
    }
    return (client) => {
      this.#join(client, socket);
      const buildKit = connectHttp2(socket);
      const options = {
        actor,
        door,
        buildKit,
        log,
        solve: (bytes: Buffer, call: Call) => this.#noteSolve(rights, bytes, call, note),
        open: (ref: string) => this.#solves.get(keyOf(actor, ref)),
      };
      serveHttp2(client, (incoming) => answerControl(options, incoming));
    };
  }

  async openSession(
    actor: Actor,
    endUnless: EndUnless,
    rawHeaders: readonly string[],
  ): Promise<(client: Duplex) => void> {
    const rights = new HeldRights(actor);
    endUnless((now) => rights.renew(now));
    const offer = readOffer(rawHeaders);
    this.#sessions.assertFree(actor, offer.id);
    const buildKit = await dialSession(await this.#reach(actor), offer.headers);
    return (client) => {
      this.#join(client, buildKit);
      this.#sessions.hold(rights, offer.id, { client, buildKit }, {});
    };
  }

  /** A session of a build whose client has none: it gives credentials alone. */
  async #openOwnSession(rights: HeldRights, auths: Readonly<Record<string, RegistryAuth>>) {
    const { id, headers } = readOffer(["x-docker-expose-session-uuid", randomBytes(13).toString("hex")]);
    const buildKit = await dialSession(await this.#reach(rights.actor), headers);
    this.#join(buildKit);
    this.#sessions.hold(rights, id, { client: undefined, buildKit }, auths);
    return { id, close: () => void buildKit.destroy() };
  }

  /** Ends every connection, and with them the builds. */
  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async #addressOf({ kind, login }: Actor): Promise<BuildKitAddress | undefined> {
    const { address } = this.#options;
    if (address?.kind !== "socket") return kind === "administrator" ? address : undefined;
    if ((kind === "user" && !address.path.includes(PLACEHOLDER)) || !PLAIN_LOGIN.test(login)) return undefined;
    const path = address.path.replaceAll(PLACEHOLDER, login);
    return await access(path).then(
      () => ({ kind: "socket", path }) as const,
      () => undefined,
    );
  }

  async #reach(actor: Actor): Promise<BuildKitAddress> {
    const address = await this.#addressOf(actor);
    if (address !== undefined) return address;
    const other = await this.#options.builder.missing();
    throw new EngineError("unsupported", other === undefined ? NOT_OFFERED : NO_BUILDER);
  }

  /** A side that goes away takes the other with it. */
  #join(...sockets: readonly Duplex[]): void {
    for (const socket of sockets) {
      this.#sockets.add(socket);
      socket.on("error", () => undefined);
      // HTTP/2 has no use for half a connection: a peer that ends its own has left.
      socket.allowHalfOpen = false;
      socket.once("end", () => socket.destroy());
      socket.once("close", () => {
        this.#sockets.delete(socket);
        for (const each of sockets) each.destroy();
      });
    }
  }

  async #noteSolve(rights: HeldRights, bytes: Buffer, call: Call, note: NoteBuild): Promise<Answer> {
    let name: string | undefined;
    const decided = (tags: readonly Reference[]) => {
      name = tags.map(formatFamiliar)[0];
    };
    try {
      const request = decode("moby.buildkit.v1.SolveRequest", bytes);
      const { answer, fault } = await this.#solve(rights, request, { call, decided });
      note({ name, fault });
      return answer;
    } catch (thrown) {
      note({ name, fault: thrown });
      throw thrown;
    }
  }

  /** What BuildKit answers, and the fault if it is none of a build that was done. */
  async #solve(
    rights: HeldRights,
    request: SolveRequest,
    { call, decided: decidedOn, context }: HowToSolve,
  ): Promise<Solved> {
    const { queue, imageContext, storageOf, store, log, timeoutMs, doorAddress: door } = this.#options;
    const { actor } = rights;
    const { Ref: ref = "", Session: sessionId = "" } = request;
    const name = keyOf(actor, ref);
    if (ref === "" || this.#solves.has(name))
      throw new EngineError("invalid", "want an id of the build that no other has");
    const giveBack = queue.reserve(actor.id ?? "administrators");
    const result = `${RESULT_REPOSITORY}/${randomBytes(16).toString("hex")}`;
    const id = randomBytes(32).toString("hex");
    const needs: (() => void)[] = [];
    try {
      if (actor.kind === "user") {
        await imageContext.quota.free();
        assertStorageAllowed(actor, storageOf(actor.id));
      }
      const decided = decideSolve(actor, request, { door, result, context });
      needs.push(
        rights.need((now) => void decideSolve(now, request, { door, result, context })),
        ...(actor.kind === "user" && mayReachHost(actor) ? [rights.need(assertHostReachAllowed)] : []),
      );
      const tags = decided.image?.names.map(tagOf) ?? [];
      decidedOn?.(tags);
      const { key, want, gone } = await this.#sessions.get(actor, sessionId);
      const refusal = () => key.session.failure?.thrown;
      const namer = imageNamer(actor)?.owner;
      this.#sessions.expect(result, (accepted) => this.#noteResult(actor, id, namesOf(accepted, tags, namer)));
      this.#solves.set(name, { hasImage: decided.image !== undefined, refusal, want });
      want(request.FrontendAttrs ?? {});
      const answer = await call(
        encode("moby.buildkit.v1.SolveRequest", decided.request),
        AbortSignal.any([AbortSignal.timeout(timeoutMs), gone]),
      );
      if (!isOk(answer))
        return {
          answer: explained(answer, refusal()),
          fault: refusal() ?? new EngineError("failed", messageOf(answer)),
        };
      if (decided.image === undefined) return { answer };
      const built = key.session.result(result);
      if (built === undefined) throw new EngineError("failed", "BuildKit gave no image");
      for (const tag of tags) await nameImage(imageContext, tag, built, namer);
      return { answer: imageAnswer(answer, built, tags.map(formatFamiliar)), image: built.image };
    } finally {
      for (const end of needs) end();
      this.#sessions.forget(result);
      this.#solves.delete(name);
      giveBack();
      // What stays of a failure is taken away by the next start.
      await store.delete(id).catch((err: unknown) => log.error({ err, build: id }, "failed to clear a build"));
    }
  }

  /** Writes the row by which the next start names the image, if this run is killed before it does. */
  async #noteResult(actor: Actor, id: string, result: BuildNames): Promise<void> {
    const { store, clock } = this.#options;
    await store.insert({ id, owner: actor.id, createdAt: clock.now(), result });
  }
}

interface HowToSolve {
  readonly call: Call;
  /** Told of the image's names once they are decided on. */
  readonly decided?: (tags: readonly Reference[]) => void;
  /** The URL of a context that Berth itself offers. */
  readonly context?: string | undefined;
}
