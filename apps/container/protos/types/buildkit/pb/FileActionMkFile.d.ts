// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { ChownOpt as _pb_ChownOpt, ChownOpt__Output as _pb_ChownOpt__Output } from '../pb/ChownOpt.js';
import type { Long } from '@grpc/proto-loader';

export interface FileActionMkFile {
  'path'?: (string);
  'mode'?: (number);
  'data'?: (Buffer | Uint8Array | string);
  'owner'?: (_pb_ChownOpt | null);
  'timestamp'?: (number | string | Long);
}

export interface FileActionMkFile__Output {
  'path'?: (string);
  'mode'?: (number);
  'data'?: (Buffer);
  'owner'?: (_pb_ChownOpt__Output);
  'timestamp'?: (string);
}
