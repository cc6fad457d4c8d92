// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { CacheSharingOpt as _pb_CacheSharingOpt, CacheSharingOpt__Output as _pb_CacheSharingOpt__Output } from '../pb/CacheSharingOpt.js';

export interface CacheOpt {
  'ID'?: (string);
  'sharing'?: (_pb_CacheSharingOpt);
}

export interface CacheOpt__Output {
  'ID'?: (string);
  'sharing'?: (_pb_CacheSharingOpt__Output);
}
