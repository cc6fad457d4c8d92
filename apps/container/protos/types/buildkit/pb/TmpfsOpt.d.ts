// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { Long } from '@grpc/proto-loader';

export interface TmpfsOpt {
  'size'?: (number | string | Long);
}

export interface TmpfsOpt__Output {
  'size'?: (string);
}
