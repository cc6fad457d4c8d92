// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { ExportCache as _pb_ExportCache, ExportCache__Output as _pb_ExportCache__Output } from '../pb/ExportCache.js';
import type { ProgressGroup as _pb_ProgressGroup, ProgressGroup__Output as _pb_ProgressGroup__Output } from '../pb/ProgressGroup.js';

export interface OpMetadata {
  'ignoreCache'?: (boolean);
  'description'?: ({[key: string]: string});
  'exportCache'?: (_pb_ExportCache | null);
  'caps'?: ({[key: string]: boolean});
  'progressGroup'?: (_pb_ProgressGroup | null);
}

export interface OpMetadata__Output {
  'ignoreCache'?: (boolean);
  'description'?: ({[key: string]: string});
  'exportCache'?: (_pb_ExportCache__Output);
  'caps'?: ({[key: string]: boolean});
  'progressGroup'?: (_pb_ProgressGroup__Output);
}
