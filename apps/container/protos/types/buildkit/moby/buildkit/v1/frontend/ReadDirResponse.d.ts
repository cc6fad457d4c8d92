// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

import type { Stat as _fsutil_types_Stat, Stat__Output as _fsutil_types_Stat__Output } from '../../../../fsutil/types/Stat.js';

export interface ReadDirResponse {
  'entries'?: (_fsutil_types_Stat)[];
}

export interface ReadDirResponse__Output {
  'entries'?: (_fsutil_types_Stat__Output)[];
}
