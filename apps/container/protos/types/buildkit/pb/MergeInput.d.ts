// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { Long } from '@grpc/proto-loader';

export interface MergeInput {
  'input'?: (number | string | Long);
}

export interface MergeInput__Output {
  'input'?: (string);
}
