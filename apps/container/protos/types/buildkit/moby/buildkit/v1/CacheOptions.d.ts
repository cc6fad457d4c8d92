// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto

import type { CacheOptionsEntry as _moby_buildkit_v1_CacheOptionsEntry, CacheOptionsEntry__Output as _moby_buildkit_v1_CacheOptionsEntry__Output } from '../../../moby/buildkit/v1/CacheOptionsEntry.js';

export interface CacheOptions {
  'ExportRefDeprecated'?: (string);
  'ImportRefsDeprecated'?: (string)[];
  'ExportAttrsDeprecated'?: ({[key: string]: string});
  'Exports'?: (_moby_buildkit_v1_CacheOptionsEntry)[];
  'Imports'?: (_moby_buildkit_v1_CacheOptionsEntry)[];
}

export interface CacheOptions__Output {
  'ExportRefDeprecated'?: (string);
  'ImportRefsDeprecated'?: (string)[];
  'ExportAttrsDeprecated'?: ({[key: string]: string});
  'Exports'?: (_moby_buildkit_v1_CacheOptionsEntry__Output)[];
  'Imports'?: (_moby_buildkit_v1_CacheOptionsEntry__Output)[];
}
