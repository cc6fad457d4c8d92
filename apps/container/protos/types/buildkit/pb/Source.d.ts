// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { Locations as _pb_Locations, Locations__Output as _pb_Locations__Output } from '../pb/Locations.js';
import type { SourceInfo as _pb_SourceInfo, SourceInfo__Output as _pb_SourceInfo__Output } from '../pb/SourceInfo.js';

export interface Source {
  'locations'?: ({[key: string]: _pb_Locations});
  'infos'?: (_pb_SourceInfo)[];
}

export interface Source__Output {
  'locations'?: ({[key: string]: _pb_Locations__Output});
  'infos'?: (_pb_SourceInfo__Output)[];
}
