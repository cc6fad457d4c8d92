// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto

import type { Timestamp as _google_protobuf_Timestamp, Timestamp__Output as _google_protobuf_Timestamp__Output } from '../../../google/protobuf/Timestamp.js';
import type { Long } from '@grpc/proto-loader';

export interface UsageRecord {
  'ID'?: (string);
  'Mutable'?: (boolean);
  'InUse'?: (boolean);
  'Size'?: (number | string | Long);
  'Parent'?: (string);
  'CreatedAt'?: (_google_protobuf_Timestamp | null);
  'LastUsedAt'?: (_google_protobuf_Timestamp | null);
  'UsageCount'?: (number | string | Long);
  'Description'?: (string);
  'RecordType'?: (string);
  'Shared'?: (boolean);
  'Parents'?: (string)[];
}

export interface UsageRecord__Output {
  'ID'?: (string);
  'Mutable'?: (boolean);
  'InUse'?: (boolean);
  'Size'?: (string);
  'Parent'?: (string);
  'CreatedAt'?: (_google_protobuf_Timestamp__Output);
  'LastUsedAt'?: (_google_protobuf_Timestamp__Output);
  'UsageCount'?: (string);
  'Description'?: (string);
  'RecordType'?: (string);
  'Shared'?: (boolean);
  'Parents'?: (string)[];
}
