// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { BuildInput as _pb_BuildInput, BuildInput__Output as _pb_BuildInput__Output } from '../pb/BuildInput.js';
import type { Definition as _pb_Definition, Definition__Output as _pb_Definition__Output } from '../pb/Definition.js';
import type { Long } from '@grpc/proto-loader';

export interface BuildOp {
  'builder'?: (number | string | Long);
  'inputs'?: ({[key: string]: _pb_BuildInput});
  'def'?: (_pb_Definition | null);
  'attrs'?: ({[key: string]: string});
}

export interface BuildOp__Output {
  'builder'?: (string);
  'inputs'?: ({[key: string]: _pb_BuildInput__Output});
  'def'?: (_pb_Definition__Output);
  'attrs'?: ({[key: string]: string});
}
