import type { IncomingMessage, ServerResponse } from "node:http";
import type { PeerCertificate } from "@berth/service-kit";
import type { Context } from "hono";
import type { Logger } from "pino";
import type { Archives } from "../../containers/archive/archives.ts";
import type { Containers } from "../../containers/containers.ts";
import type { NetworkMembers } from "../../containers/networks/members.ts";
import type { Actor } from "../../engine/actor.ts";
import type { EventSink, EventSource } from "../../events/events.ts";
import type { Host } from "../../host/host.ts";
import type { Images } from "../../images/images.ts";
import type { Networks } from "../../networks/networks.ts";
import type { Volumes } from "../../volumes/volumes.ts";
import type { ApiVersion } from "../versions/version.ts";

/**
 * Where a request came in. A unix socket speaks for one actor, or for the directory's user with a login; over TCP the request has
 * to say who asks, and over TLS a certificate may.
 */
export type Listener =
  | { readonly kind: "unix"; readonly path: string; readonly actor: Actor }
  | { readonly kind: "user"; readonly path: string; readonly login: string }
  | { readonly kind: "tls"; readonly host: string; readonly port: number }
  | {
      readonly kind: "tcp";
      readonly host: string;
      readonly port: number;
      /** Values of `Host` that are answered, port apart; a foreign one is a rebound name. */
      readonly allowedHosts: readonly string[];
    };

/** What is known of a request before anyone is asked who sent it. */
export interface Credentials {
  readonly listener: Listener;
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** What the client showed in the handshake. */
  readonly certificate: PeerCertificate | undefined;
}

/** Says who asks; undefined is nobody, and is answered 401. */
export type Identify = (credentials: Credentials) => Promise<Actor | undefined>;

/** What the routes stand on. */
export interface Deps {
  readonly containers: Containers;
  readonly archives: Archives;
  readonly images: Images;
  readonly networks: Networks;
  readonly members: NetworkMembers;
  readonly volumes: Volumes;
  readonly events: EventSource & EventSink;
  readonly host: Host;
  readonly identify: Identify;
  readonly log: Pick<Logger, "error" | "warn">;
}

/** Hono's types for the edge. In tests without a socket `incoming` and `outgoing` are absent. */
export interface Edge {
  Bindings: {
    readonly incoming?: IncomingMessage;
    readonly outgoing?: ServerResponse;
    readonly listener?: Listener;
  };
  Variables: { actor: Actor; version: ApiVersion };
}

export type EdgeContext = Context<Edge>;
