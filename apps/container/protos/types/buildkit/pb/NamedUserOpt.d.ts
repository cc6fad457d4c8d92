// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { Long } from '@grpc/proto-loader';

export interface NamedUserOpt {
  'name'?: (string);
  'input'?: (number | string | Long);
}

export interface NamedUserOpt__Output {
  'name'?: (string);
  'input'?: (string);
}
