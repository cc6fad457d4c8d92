// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { Position as _pb_Position, Position__Output as _pb_Position__Output } from '../pb/Position.js';

export interface Range {
  'start'?: (_pb_Position | null);
  'end'?: (_pb_Position | null);
}

export interface Range__Output {
  'start'?: (_pb_Position__Output);
  'end'?: (_pb_Position__Output);
}
