// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { Long } from '@grpc/proto-loader';

export interface UpperDiffInput {
  'input'?: (number | string | Long);
}

export interface UpperDiffInput__Output {
  'input'?: (string);
}
