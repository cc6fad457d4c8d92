// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto

import type { Timestamp as _google_protobuf_Timestamp, Timestamp__Output as _google_protobuf_Timestamp__Output } from '../../../google/protobuf/Timestamp.js';
import type { Long } from '@grpc/proto-loader';

export interface VertexLog {
  'vertex'?: (string);
  'timestamp'?: (_google_protobuf_Timestamp | null);
  'stream'?: (number | string | Long);
  'msg'?: (Buffer | Uint8Array | string);
}

export interface VertexLog__Output {
  'vertex'?: (string);
  'timestamp'?: (_google_protobuf_Timestamp__Output);
  'stream'?: (string);
  'msg'?: (Buffer);
}
