// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

import type { Long } from '@grpc/proto-loader';

export interface FileRange {
  'Offset'?: (number | string | Long);
  'Length'?: (number | string | Long);
}

export interface FileRange__Output {
  'Offset'?: (string);
  'Length'?: (string);
}
