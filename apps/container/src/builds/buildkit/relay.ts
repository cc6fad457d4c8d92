import { type ClientHttp2Session, constants, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";

/** Headers and trailers of HTTP/2 by name. */
export type PassedHeaders = Record<string, string | string[]>;

const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR } = constants;

/** Headers of one connection alone. */
const OF_THE_CONNECTION = new Set(["connection", "host", "keep-alive", "proxy-connection", "upgrade"]);

/** Headers to pass on, from their alternating names and values: several of one name stay several, as gRPC's metadata needs. */
export function passedHeaders(raw: readonly string[]): PassedHeaders {
  const lists = new Map<string, string[]>();
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]?.toLowerCase() ?? "";
    if (OF_THE_CONNECTION.has(name)) continue;
    const values = lists.get(name) ?? [];
    values.push(raw[at + 1] ?? "");
    lists.set(name, values);
  }
  return Object.fromEntries(
    [...lists].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values]),
  );
}

/**
 * Relays one gRPC call as it is: headers, messages and trailers, each at the pace of its reader. A side that goes away takes the other
 * with it.
 */
export function relayCall(incoming: ServerHttp2Stream, rawHeaders: readonly string[], to: ClientHttp2Session): void {
  // A call may come in while the other side's connection ends.
  if (to.closed || to.destroyed) return void incoming.close(NGHTTP2_CANCEL);
  const outgoing = to.request(passedHeaders(rawHeaders));
  let trailers: PassedHeaders = {};
  const cancel = () => {
    if (!outgoing.closed) outgoing.close(NGHTTP2_CANCEL);
    if (!incoming.closed) incoming.close(NGHTTP2_CANCEL);
  };
  incoming.on("error", cancel);
  outgoing.on("error", cancel);
  incoming.on("aborted", cancel);
  incoming.on("close", () => {
    if (incoming.rstCode !== NGHTTP2_NO_ERROR) cancel();
  });
  outgoing.on("trailers", (_headers: IncomingHttpHeaders, _flags: number, raw: readonly string[]) => {
    trailers = passedHeaders(raw);
  });
  outgoing.on("response", (_headers: IncomingHttpHeaders, _flags: number, raw: readonly string[]) => {
    if (incoming.destroyed || incoming.closed) return;
    const answer = passedHeaders(raw);
    // An answer without messages has its status in these headers.
    if ("grpc-status" in answer) return void incoming.respond(answer, { endStream: true });
    incoming.respond(answer, { waitForTrailers: true });
    incoming.on("wantTrailers", () => incoming.sendTrailers(trailers));
    outgoing.pipe(incoming);
  });
  outgoing.on("close", () => {
    if (outgoing.rstCode !== NGHTTP2_NO_ERROR) cancel();
  });
  incoming.pipe(outgoing);
}
