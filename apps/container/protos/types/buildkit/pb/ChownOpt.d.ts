// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { UserOpt as _pb_UserOpt, UserOpt__Output as _pb_UserOpt__Output } from '../pb/UserOpt.js';

export interface ChownOpt {
  'user'?: (_pb_UserOpt | null);
  'group'?: (_pb_UserOpt | null);
}

export interface ChownOpt__Output {
  'user'?: (_pb_UserOpt__Output);
  'group'?: (_pb_UserOpt__Output);
}
