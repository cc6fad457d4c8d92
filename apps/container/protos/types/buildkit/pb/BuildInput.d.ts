// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { Long } from '@grpc/proto-loader';

export interface BuildInput {
  'input'?: (number | string | Long);
}

export interface BuildInput__Output {
  'input'?: (string);
}
