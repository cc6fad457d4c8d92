// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto

import type { Timestamp as _google_protobuf_Timestamp, Timestamp__Output as _google_protobuf_Timestamp__Output } from '../../../google/protobuf/Timestamp.js';
import type { ProgressGroup as _pb_ProgressGroup, ProgressGroup__Output as _pb_ProgressGroup__Output } from '../../../pb/ProgressGroup.js';

export interface Vertex {
  'digest'?: (string);
  'inputs'?: (string)[];
  'name'?: (string);
  'cached'?: (boolean);
  'started'?: (_google_protobuf_Timestamp | null);
  'completed'?: (_google_protobuf_Timestamp | null);
  'error'?: (string);
  'progressGroup'?: (_pb_ProgressGroup | null);
}

export interface Vertex__Output {
  'digest'?: (string);
  'inputs'?: (string)[];
  'name'?: (string);
  'cached'?: (boolean);
  'started'?: (_google_protobuf_Timestamp__Output);
  'completed'?: (_google_protobuf_Timestamp__Output);
  'error'?: (string);
  'progressGroup'?: (_pb_ProgressGroup__Output);
}
