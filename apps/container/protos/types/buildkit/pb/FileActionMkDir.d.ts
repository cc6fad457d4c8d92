// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { ChownOpt as _pb_ChownOpt, ChownOpt__Output as _pb_ChownOpt__Output } from '../pb/ChownOpt.js';
import type { Long } from '@grpc/proto-loader';

export interface FileActionMkDir {
  'path'?: (string);
  'mode'?: (number);
  'makeParents'?: (boolean);
  'owner'?: (_pb_ChownOpt | null);
  'timestamp'?: (number | string | Long);
}

export interface FileActionMkDir__Output {
  'path'?: (string);
  'mode'?: (number);
  'makeParents'?: (boolean);
  'owner'?: (_pb_ChownOpt__Output);
  'timestamp'?: (string);
}
