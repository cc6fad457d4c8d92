// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { Long } from '@grpc/proto-loader';

export interface Input {
  'digest'?: (string);
  'index'?: (number | string | Long);
}

export interface Input__Output {
  'digest'?: (string);
  'index'?: (string);
}
