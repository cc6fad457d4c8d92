// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { MountType as _pb_MountType, MountType__Output as _pb_MountType__Output } from '../pb/MountType.js';
import type { TmpfsOpt as _pb_TmpfsOpt, TmpfsOpt__Output as _pb_TmpfsOpt__Output } from '../pb/TmpfsOpt.js';
import type { CacheOpt as _pb_CacheOpt, CacheOpt__Output as _pb_CacheOpt__Output } from '../pb/CacheOpt.js';
import type { SecretOpt as _pb_SecretOpt, SecretOpt__Output as _pb_SecretOpt__Output } from '../pb/SecretOpt.js';
import type { SSHOpt as _pb_SSHOpt, SSHOpt__Output as _pb_SSHOpt__Output } from '../pb/SSHOpt.js';
import type { MountContentCache as _pb_MountContentCache, MountContentCache__Output as _pb_MountContentCache__Output } from '../pb/MountContentCache.js';
import type { Long } from '@grpc/proto-loader';

export interface Mount {
  'input'?: (number | string | Long);
  'selector'?: (string);
  'dest'?: (string);
  'output'?: (number | string | Long);
  'readonly'?: (boolean);
  'mountType'?: (_pb_MountType);
  'TmpfsOpt'?: (_pb_TmpfsOpt | null);
  'cacheOpt'?: (_pb_CacheOpt | null);
  'secretOpt'?: (_pb_SecretOpt | null);
  'SSHOpt'?: (_pb_SSHOpt | null);
  'resultID'?: (string);
  'contentCache'?: (_pb_MountContentCache);
}

export interface Mount__Output {
  'input'?: (string);
  'selector'?: (string);
  'dest'?: (string);
  'output'?: (string);
  'readonly'?: (boolean);
  'mountType'?: (_pb_MountType__Output);
  'TmpfsOpt'?: (_pb_TmpfsOpt__Output);
  'cacheOpt'?: (_pb_CacheOpt__Output);
  'secretOpt'?: (_pb_SecretOpt__Output);
  'SSHOpt'?: (_pb_SSHOpt__Output);
  'resultID'?: (string);
  'contentCache'?: (_pb_MountContentCache__Output);
}
