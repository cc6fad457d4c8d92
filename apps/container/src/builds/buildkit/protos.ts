import { loadSync, type MessageTypeDefinition, type PackageDefinition } from "@grpc/proto-loader";
import type { BytesMessage__Output as BytesMessage } from "../../../protos/types/buildkit/moby/buildkit/v1/BytesMessage.d.ts";
import type { SolveRequest__Output as FrontendSolveRequest } from "../../../protos/types/buildkit/moby/buildkit/v1/frontend/SolveRequest.d.ts";
import type { SolveRequest__Output as SolveRequest } from "../../../protos/types/buildkit/moby/buildkit/v1/SolveRequest.d.ts";
import type { SolveResponse__Output as SolveResponse } from "../../../protos/types/buildkit/moby/buildkit/v1/SolveResponse.d.ts";
import type { StatusRequest__Output as StatusRequest } from "../../../protos/types/buildkit/moby/buildkit/v1/StatusRequest.d.ts";
import type { CredentialsRequest__Output as CredentialsRequest } from "../../../protos/types/buildkit/moby/filesync/v1/CredentialsRequest.d.ts";
import type { CredentialsResponse__Output as CredentialsResponse } from "../../../protos/types/buildkit/moby/filesync/v1/CredentialsResponse.d.ts";
import type { Op__Output as Op } from "../../../protos/types/buildkit/pb/Op.d.ts";
import { EngineError } from "../../engine/errors.ts";
import { PROTOS_DIR } from "../../host/package-files.ts";

/** The messages that Berth reads or writes. */
interface Messages {
  readonly "moby.buildkit.v1.BytesMessage": BytesMessage;
  readonly "moby.buildkit.v1.SolveRequest": SolveRequest;
  readonly "moby.buildkit.v1.SolveResponse": SolveResponse;
  readonly "moby.buildkit.v1.StatusRequest": StatusRequest;
  readonly "moby.buildkit.v1.frontend.SolveRequest": FrontendSolveRequest;
  readonly "moby.filesync.v1.CredentialsRequest": CredentialsRequest;
  readonly "moby.filesync.v1.CredentialsResponse": CredentialsResponse;
  readonly "pb.Op": Op;
}

type Name = keyof Messages;

let definitions: PackageDefinition | undefined;

/** Read when the first message comes: it takes a tenth of a second, and most services never see one. */
function typeOf<N extends Name>(name: N): MessageTypeDefinition<Messages[N], Messages[N]> {
  // The options are those of scripts/proto-types.sh. Absent fields stay absent, so that a message is written as it was read.
  definitions ??= loadSync(
    ["api/services/control/control", "frontend/gateway/pb/gateway", "session/auth/auth"].map(
      (file) => `github.com/moby/buildkit/${file}.proto`,
    ),
    { includeDirs: [PROTOS_DIR], longs: String, enums: String },
  );
  return definitions[name] as MessageTypeDefinition<Messages[N], Messages[N]>;
}

export function encode<N extends Name>(name: N, message: Messages[N]): Buffer {
  return typeOf(name).serialize(message);
}

/**
 * Reads a message. Throws `invalid` for bytes that are none, and `unsupported` for one with a field that is not known here: it would be
 * lost on the way, and nobody would have decided on it.
 */
export function decode<N extends Name>(name: N, bytes: Buffer): Messages[N] {
  let message: Messages[N];
  try {
    message = typeOf(name).deserialize(bytes);
  } catch (cause) {
    throw new EngineError("invalid", `no ${name}`, { cause });
  }
  if (encode(name, message).length !== bytes.length)
    throw new EngineError("unsupported", `${name}: has fields that this version of Berth does not know`);
  return message;
}
