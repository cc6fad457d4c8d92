// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { MergeInput as _pb_MergeInput, MergeInput__Output as _pb_MergeInput__Output } from '../pb/MergeInput.js';

export interface MergeOp {
  'inputs'?: (_pb_MergeInput)[];
}

export interface MergeOp__Output {
  'inputs'?: (_pb_MergeInput__Output)[];
}
