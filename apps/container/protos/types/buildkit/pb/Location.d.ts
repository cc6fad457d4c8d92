// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { Range as _pb_Range, Range__Output as _pb_Range__Output } from '../pb/Range.js';

export interface Location {
  'sourceIndex'?: (number);
  'ranges'?: (_pb_Range)[];
}

export interface Location__Output {
  'sourceIndex'?: (number);
  'ranges'?: (_pb_Range__Output)[];
}
