// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

import type { Stat as _fsutil_types_Stat, Stat__Output as _fsutil_types_Stat__Output } from '../../../../fsutil/types/Stat.js';

export interface StatFileResponse {
  'stat'?: (_fsutil_types_Stat | null);
}

export interface StatFileResponse__Output {
  'stat'?: (_fsutil_types_Stat__Output);
}
