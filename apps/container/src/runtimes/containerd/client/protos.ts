import { fileURLToPath } from "node:url";
import type { MessageTypeDefinition, MethodDefinition } from "@grpc/proto-loader";
import { loadSync } from "@grpc/proto-loader";

/**
 * google.protobuf.Any: a message with its type's name, which containerd writes without a host in front. The spelling is that of
 * protobufjs, which brings this message itself.
 */
export interface Any {
  readonly type_url: string;
  readonly value: Uint8Array;
}

/** google.protobuf.Timestamp. */
export interface Timestamp {
  readonly seconds: number;
  readonly nanos: number;
}

const SERVICES = ["content", "images", "snapshots", "diff", "containers", "tasks", "events", "leases", "version"];

const definitions = loadSync(
  [
    ...SERVICES.map((name) => `containerd/api/services/${name}/v1/${name}.proto`),
    "containerd/api/events/task.proto",
    "cgroups/stats/v1/metrics.proto",
    "cgroups/v2/stats/metrics.proto",
  ].map((file) => `github.com/containerd/${file}`),
  {
    includeDirs: [fileURLToPath(new URL("../../../../protos", import.meta.url))],
    longs: Number,
    enums: String,
    defaults: true,
  },
);

/** One gRPC method, `service` without its common prefix (`content.v1.Content`); the caller vouches for the shapes. */
export function methodOf<Q, R>(service: string, method: string): MethodDefinition<Q & object, R & object> {
  const found: unknown = definitions[`containerd.services.${service}`]?.[method as keyof object];
  if (found === undefined) throw new Error(`no method ${method} in ${service} of the containerd protos`);
  return found as MethodDefinition<Q & object, R & object>;
}

/** A vendored message by its full name, which a host may precede; undefined where it is not vendored. */
export function messageOf(typeUrl: string): MessageTypeDefinition<object, object> | undefined {
  const found = definitions[typeUrl.slice(typeUrl.lastIndexOf("/") + 1)];
  return found !== undefined && "deserialize" in found ? (found as MessageTypeDefinition<object, object>) : undefined;
}

/** Packs plain JSON as containerd does for OCI types, which are no protobuf messages. */
export function encodeJson(typeUrl: string, value: unknown): Any {
  return {
    type_url: typeUrl,
    value: Buffer.from(JSON.stringify(value)),
  };
}

/** Unpacks an Any; undefined where the type is not vendored. */
export function decodeAny(any: Any): object | undefined {
  return messageOf(any.type_url)?.deserialize(Buffer.from(any.value));
}

/** RFC 3339 in UTC with nanoseconds; containerd's zero time (year 1) and an absent one are undefined. */
export function formatTimestamp(time: Timestamp | null | undefined): string | undefined {
  if (time === null || time === undefined || time.seconds <= 0) return undefined;
  const whole = new Date(time.seconds * 1000).toISOString().slice(0, -"000Z".length);
  return `${whole}${String(time.nanos).padStart(9, "0")}Z`;
}
