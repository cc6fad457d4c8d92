// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { Long } from '@grpc/proto-loader';

export interface LowerDiffInput {
  'input'?: (number | string | Long);
}

export interface LowerDiffInput__Output {
  'input'?: (string);
}
