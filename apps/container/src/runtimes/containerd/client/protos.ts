import type { MessageTypeDefinition, MethodDefinition } from "@grpc/proto-loader";
import { loadSync } from "@grpc/proto-loader";
import type { TaskOOM__Output } from "../../../../protos/types/containerd/events/TaskOOM.d.ts";
import type { ContainersDefinition } from "../../../../protos/types/containerd/services/containers/v1/Containers.d.ts";
import type { ContentDefinition } from "../../../../protos/types/containerd/services/content/v1/Content.d.ts";
import type { DiffDefinition } from "../../../../protos/types/containerd/services/diff/v1/Diff.d.ts";
import type { EventsDefinition } from "../../../../protos/types/containerd/services/events/v1/Events.d.ts";
import type { ImagesDefinition } from "../../../../protos/types/containerd/services/images/v1/Images.d.ts";
import type { LeasesDefinition } from "../../../../protos/types/containerd/services/leases/v1/Leases.d.ts";
import type { SnapshotsDefinition } from "../../../../protos/types/containerd/services/snapshots/v1/Snapshots.d.ts";
import type { TasksDefinition } from "../../../../protos/types/containerd/services/tasks/v1/Tasks.d.ts";
import type { VersionDefinition } from "../../../../protos/types/containerd/services/version/v1/Version.d.ts";
import type { Any__Output } from "../../../../protos/types/google/protobuf/Any.d.ts";
import type { Timestamp__Output } from "../../../../protos/types/google/protobuf/Timestamp.d.ts";
import type { Metrics__Output as MetricsV1 } from "../../../../protos/types/io/containerd/cgroups/v1/Metrics.d.ts";
import type { Metrics__Output as MetricsV2 } from "../../../../protos/types/io/containerd/cgroups/v2/Metrics.d.ts";
import { PROTOS_DIR } from "../../../host/package-files.ts";

/** `T` as it travels: a message is only read, however deep. */
export type Message<T> = T extends Uint8Array
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Message<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Message<T[Key]> }
      : T;

/** A message with its type's name. */
export type Any = Message<Any__Output>;

export type Timestamp = Message<Timestamp__Output>;

/** The services by name, without the prefix that all have; `npm run proto-types` generates their types from the protos. */
interface Services {
  readonly "containers.v1.Containers": ContainersDefinition;
  readonly "content.v1.Content": ContentDefinition;
  readonly "diff.v1.Diff": DiffDefinition;
  readonly "events.v1.Events": EventsDefinition;
  readonly "images.v1.Images": ImagesDefinition;
  readonly "leases.v1.Leases": LeasesDefinition;
  readonly "snapshots.v1.Snapshots": SnapshotsDefinition;
  readonly "tasks.v1.Tasks": TasksDefinition;
  readonly "version.v1.Version": VersionDefinition;
}

export type ServiceName = keyof Services;
export type MethodName<S extends ServiceName> = keyof Services[S] & string;

/** What a method takes. */
export type RequestOf<S extends ServiceName, M extends MethodName<S>> =
  Services[S][M] extends MethodDefinition<infer Request, infer _1, infer _2, infer _3> ? Message<Request> : never;

/** What a method answers. */
export type ResponseOf<S extends ServiceName, M extends MethodName<S>> =
  Services[S][M] extends MethodDefinition<infer _1, infer _2, infer _3, infer Response> ? Message<Response> : never;

/** The messages that Berth unpacks from an Any. */
interface Messages {
  readonly "containerd.events.TaskOOM": TaskOOM__Output;
  readonly "io.containerd.cgroups.v1.Metrics": MetricsV1;
  readonly "io.containerd.cgroups.v2.Metrics": MetricsV2;
}

export type MessageOf<N extends keyof Messages> = Message<Messages[N]>;

// The options are those of scripts/proto-types.sh.
const DEFINITIONS = loadSync(
  [
    ...["content", "images", "snapshots", "diff", "containers", "tasks", "events", "leases", "version"].map(
      (name) => `containerd/api/services/${name}/v1/${name}.proto`,
    ),
    "containerd/api/events/task.proto",
    "cgroups/stats/v1/metrics.proto",
    "cgroups/v2/stats/metrics.proto",
  ].map((file) => `github.com/containerd/${file}`),
  {
    includeDirs: [PROTOS_DIR],
    longs: Number,
    enums: String,
    defaults: true,
  },
);

/** One gRPC method, as its own types say. */
export function methodOf<S extends ServiceName, M extends MethodName<S>>(
  service: S,
  method: M,
): MethodDefinition<RequestOf<S, M>, ResponseOf<S, M>> {
  const methods = DEFINITIONS[`containerd.services.${service}`] as Record<string, object>;
  return methods[method] as MethodDefinition<RequestOf<S, M>, ResponseOf<S, M>>;
}

/** A message by its full name. */
export function messageType<N extends keyof Messages>(name: N): MessageTypeDefinition<object, Messages[N]> {
  return DEFINITIONS[name] as MessageTypeDefinition<object, Messages[N]>;
}

/** Unpacks an Any that holds the message `name`; undefined if it holds another one. */
export function decodeAny<N extends keyof Messages>(any: Any, name: N): MessageOf<N> | undefined {
  // Some clients write the name with a host in front.
  if (any.type_url.slice(any.type_url.lastIndexOf("/") + 1) !== name) return undefined;
  return messageType(name).deserialize(any.value) as MessageOf<N>;
}

/** Packs plain JSON as containerd does for OCI types, which are no protobuf messages. */
export function encodeJson(typeUrl: string, value: unknown): Any {
  return {
    type_url: typeUrl,
    value: Buffer.from(JSON.stringify(value)),
  };
}

/** RFC 3339 in UTC with nanoseconds; containerd's zero time (year 1) and an absent one are undefined. */
export function formatTimestamp(time: Timestamp | null | undefined): string | undefined {
  if (time === null || time === undefined || time.seconds <= 0) return undefined;
  const whole = new Date(time.seconds * 1000).toISOString().slice(0, -"000Z".length);
  return `${whole}${String(time.nanos).padStart(9, "0")}Z`;
}
