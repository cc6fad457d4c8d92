import type { IncomingMessage, ServerResponse } from "node:http";
import type { Answered, PeerCertificate } from "@berth/service-kit";
import type { Context, MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import type { BuildKitApi } from "../../builds/buildkit/buildkit.ts";
import type { Builds } from "../../builds/builds.ts";
import type { Archives } from "../../containers/archive/archives.ts";
import type { ActedOn, Containers } from "../../containers/containers.ts";
import type { NetworkMembers } from "../../containers/networks/members.ts";
import type { ActionSink } from "../../engine/action.ts";
import type { Actor } from "../../engine/actor.ts";
import type { EventSink, EventSource } from "../../events/events.ts";
import type { Host } from "../../host/host.ts";
import type { Images } from "../../images/images.ts";
import type { Networks } from "../../networks/networks.ts";
import type { Places } from "../../places/place.ts";
import type { EndUnless } from "../../policy/held-rights.ts";
import type { PortBook } from "../../ports/ports.ts";
import type { Volumes } from "../../volumes/volumes.ts";
import type { ApiVersion } from "../versions/changes.ts";
import type { RecordedCall } from "./recorded-calls.ts";

/**
 * The listener of a request. A unix socket belongs to one actor, or to the directory's user with a login. Over TCP the request has to
 * identify its sender, and over TLS a certificate may.
 */
export type Listener =
  | { readonly kind: "unix"; readonly path: string; readonly actor: Actor }
  | { readonly kind: "user"; readonly path: string; readonly login: string }
  | { readonly kind: "tls"; readonly host: string; readonly port: number }
  | {
      readonly kind: "tcp";
      readonly host: string;
      readonly port: number;
      /** Accepted values of `Host`, without port; any other is a rebound name. */
      readonly allowedHosts: readonly string[];
    };

/** The data of a request that its sender is identified by. */
export interface Credentials {
  readonly listener: Listener;
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** The certificate from the handshake. */
  readonly certificate: PeerCertificate | undefined;
}

/** Identifies the sender; undefined is answered with 401. */
export type Identify = (credentials: Credentials) => Promise<Actor | undefined>;

/** What the routes depend on. */
export interface Deps {
  readonly containers: Containers;
  readonly archives: Archives;
  readonly images: Images;
  readonly builds: Builds;
  readonly buildKit: BuildKitApi;
  readonly networks: Networks;
  readonly members: NetworkMembers;
  readonly volumes: Volumes;
  readonly ports: PortBook;
  readonly places: Places;
  /** What users may do who name no place: work outside of places, or in their only one. */
  readonly unnamedPlace: "outside" | "only-place";
  readonly events: EventSource & EventSink;
  readonly host: Host;
  /** What the administrators have to do on the host, a line each. */
  readonly warnings: () => readonly string[];
  readonly identify: Identify;
  /** The directory's user with a login, as decisions need it. Throws `forbidden` without an active one. */
  readonly whoseLogin: (login: string) => Promise<Actor>;
  readonly actions: ActionSink;
  readonly log: Pick<Logger, "error" | "warn">;
  /** Told of each request with its answer. */
  readonly answered?: ((request: Answered) => void) | undefined;
  /** Makes a span of each request. */
  readonly traced?: MiddlewareHandler | undefined;
}

/** Hono's types for the edge. Tests without a socket have neither `incoming` nor `outgoing`. */
export interface Edge {
  Bindings: {
    readonly incoming?: IncomingMessage;
    readonly outgoing?: ServerResponse;
    readonly listener?: Listener;
    /** Tells the server that the connection's sender is known. */
    readonly identified?: () => void;
  };
  Variables: {
    actor: Actor;
    /** The request as the record of actions has it. */
    call: RecordedCall;
    /** What the record of actions says about the thing that the request is about. */
    actedOn: ActedOn | undefined;
    version: ApiVersion;
    /** Ends the request once `allows` throws for its sender as the directory knows it then. */
    endUnless: EndUnless;
  };
}

export type EdgeContext = Context<Edge>;
