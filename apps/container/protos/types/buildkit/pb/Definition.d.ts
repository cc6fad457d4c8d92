// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { OpMetadata as _pb_OpMetadata, OpMetadata__Output as _pb_OpMetadata__Output } from '../pb/OpMetadata.js';
import type { Source as _pb_Source, Source__Output as _pb_Source__Output } from '../pb/Source.js';

export interface Definition {
  'def'?: (Buffer | Uint8Array | string)[];
  'metadata'?: ({[key: string]: _pb_OpMetadata});
  'Source'?: (_pb_Source | null);
}

export interface Definition__Output {
  'def'?: (Buffer)[];
  'metadata'?: ({[key: string]: _pb_OpMetadata__Output});
  'Source'?: (_pb_Source__Output);
}
