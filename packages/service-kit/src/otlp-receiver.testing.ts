import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A span as a collector sees it. */
export interface ReceivedSpan {
  readonly service: string;
  readonly name: string;
  readonly kind: "internal" | "server" | "client";
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first of a trace. */
  readonly parentId: string;
  readonly nanoseconds: number;
  readonly isError: boolean;
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** A collector of OpenTelemetry: takes spans over OTLP/HTTP with protobuf. */
export interface OtlpReceiver {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  readonly spans: ReceivedSpan[];
  /** All that came, as text. */
  readonly text: () => string;
  close(): Promise<void>;
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const isExport = request.method === "POST" && request.url === "/v1/traces";
    if (!isExport || request.headers["content-type"] !== "application/x-protobuf")
      return void response.writeHead(404).end();
    const body = Buffer.concat(chunks);
    bodies.push(body);
    spans.push(...spansOf(body));
    response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    text: () => Buffer.concat(bodies).toString("latin1"),
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type Field = bigint | Buffer;
type Message = ReadonlyMap<number, readonly Field[]>;

/** The fields of a protobuf message by number: varints and fixed numbers as such, everything else as bytes. */
function messageOf(bytes: Buffer): Message {
  const fields = new Map<number, Field[]>();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const read: Readonly<Record<number, () => Field>> = {
      0: varint,
      1: () => take(8).readBigUInt64LE(),
      2: () => take(Number(varint())),
      5: () => BigInt(take(4).readUInt32LE()),
    };
    const value = read[tag & 7]?.();
    if (value === undefined) throw new Error(`no wire type of protobuf: ${tag & 7}`);
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}

function all(message: Message, field: number): readonly Buffer[] {
  return (message.get(field) ?? []).filter((one) => typeof one !== "bigint");
}
function messages(message: Message, field: number): readonly Message[] {
  return all(message, field).map(messageOf);
}
function text(message: Message, field: number): string {
  return all(message, field)[0]?.toString() ?? "";
}
function hex(message: Message, field: number): string {
  return all(message, field)[0]?.toString("hex") ?? "";
}
function number(message: Message | undefined, field: number): number {
  return Number(message?.get(field)?.[0] ?? 0n);
}

/** `opentelemetry/proto/trace/v1/trace.proto`, by its numbers. */
function spansOf(body: Buffer): readonly ReceivedSpan[] {
  return messages(messageOf(body), 1).flatMap((resourceSpans) => {
    const [resource] = messages(resourceSpans, 1);
    const service = resource === undefined ? "" : String(attributesOf(resource, 1)["service.name"]);
    return messages(resourceSpans, 2)
      .flatMap((scopeSpans) => messages(scopeSpans, 2))
      .map((span) => ({
        service,
        name: text(span, 5),
        kind: number(span, 6) === 2 ? "server" : number(span, 6) === 3 ? "client" : "internal",
        traceId: hex(span, 1),
        spanId: hex(span, 2),
        parentId: hex(span, 4),
        nanoseconds: number(span, 8) - number(span, 7),
        isError: number(messages(span, 15)[0], 3) === 2,
        attributes: attributesOf(span, 9),
      }));
  });
}

function attributesOf(message: Message, field: number): Readonly<Record<string, string | number>> {
  const pairs = messages(message, field).map((pair): readonly [string, string | number] => {
    const [value] = messages(pair, 2);
    return [text(pair, 1), value?.has(3) === true ? number(value, 3) : value === undefined ? "" : text(value, 1)];
  });
  return Object.fromEntries(pairs);
}
