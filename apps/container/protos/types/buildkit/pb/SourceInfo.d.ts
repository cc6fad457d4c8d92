// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { Definition as _pb_Definition, Definition__Output as _pb_Definition__Output } from '../pb/Definition.js';

export interface SourceInfo {
  'filename'?: (string);
  'data'?: (Buffer | Uint8Array | string);
  'definition'?: (_pb_Definition | null);
  'language'?: (string);
}

export interface SourceInfo__Output {
  'filename'?: (string);
  'data'?: (Buffer);
  'definition'?: (_pb_Definition__Output);
  'language'?: (string);
}
