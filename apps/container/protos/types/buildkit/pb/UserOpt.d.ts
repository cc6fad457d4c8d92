// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { NamedUserOpt as _pb_NamedUserOpt, NamedUserOpt__Output as _pb_NamedUserOpt__Output } from '../pb/NamedUserOpt.js';

export interface UserOpt {
  'byName'?: (_pb_NamedUserOpt | null);
  'byID'?: (number);
  'user'?: "byName"|"byID";
}

export interface UserOpt__Output {
  'byName'?: (_pb_NamedUserOpt__Output);
  'byID'?: (number);
}
