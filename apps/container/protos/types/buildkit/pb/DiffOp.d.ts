// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { LowerDiffInput as _pb_LowerDiffInput, LowerDiffInput__Output as _pb_LowerDiffInput__Output } from '../pb/LowerDiffInput.js';
import type { UpperDiffInput as _pb_UpperDiffInput, UpperDiffInput__Output as _pb_UpperDiffInput__Output } from '../pb/UpperDiffInput.js';

export interface DiffOp {
  'lower'?: (_pb_LowerDiffInput | null);
  'upper'?: (_pb_UpperDiffInput | null);
}

export interface DiffOp__Output {
  'lower'?: (_pb_LowerDiffInput__Output);
  'upper'?: (_pb_UpperDiffInput__Output);
}
