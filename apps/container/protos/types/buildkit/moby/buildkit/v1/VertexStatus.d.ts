// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto

import type { Timestamp as _google_protobuf_Timestamp, Timestamp__Output as _google_protobuf_Timestamp__Output } from '../../../google/protobuf/Timestamp.js';
import type { Long } from '@grpc/proto-loader';

export interface VertexStatus {
  'ID'?: (string);
  'vertex'?: (string);
  'name'?: (string);
  'current'?: (number | string | Long);
  'total'?: (number | string | Long);
  'timestamp'?: (_google_protobuf_Timestamp | null);
  'started'?: (_google_protobuf_Timestamp | null);
  'completed'?: (_google_protobuf_Timestamp | null);
}

export interface VertexStatus__Output {
  'ID'?: (string);
  'vertex'?: (string);
  'name'?: (string);
  'current'?: (string);
  'total'?: (string);
  'timestamp'?: (_google_protobuf_Timestamp__Output);
  'started'?: (_google_protobuf_Timestamp__Output);
  'completed'?: (_google_protobuf_Timestamp__Output);
}
