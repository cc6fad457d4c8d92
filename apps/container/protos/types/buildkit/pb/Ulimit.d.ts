// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { Long } from '@grpc/proto-loader';

export interface Ulimit {
  'Name'?: (string);
  'Soft'?: (number | string | Long);
  'Hard'?: (number | string | Long);
}

export interface Ulimit__Output {
  'Name'?: (string);
  'Soft'?: (string);
  'Hard'?: (string);
}
