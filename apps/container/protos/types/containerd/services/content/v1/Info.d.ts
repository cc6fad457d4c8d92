// Original file: protos/github.com/containerd/containerd/api/services/content/v1/content.proto

import type { Timestamp as _google_protobuf_Timestamp, Timestamp__Output as _google_protobuf_Timestamp__Output } from '../../../../google/protobuf/Timestamp.js';
import type { Long } from '@grpc/proto-loader';

export interface Info {
  'digest'?: (string);
  'size'?: (number | string | Long);
  'createdAt'?: (_google_protobuf_Timestamp | null);
  'updatedAt'?: (_google_protobuf_Timestamp | null);
  'labels'?: ({[key: string]: string});
}

export interface Info__Output {
  'digest': (string);
  'size': (number);
  'createdAt': (_google_protobuf_Timestamp__Output | null);
  'updatedAt': (_google_protobuf_Timestamp__Output | null);
  'labels': ({[key: string]: string});
}
