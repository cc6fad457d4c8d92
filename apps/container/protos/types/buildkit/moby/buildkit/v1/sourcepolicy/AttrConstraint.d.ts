// Original file: protos/github.com/moby/buildkit/sourcepolicy/pb/policy.proto

import type { AttrMatch as _moby_buildkit_v1_sourcepolicy_AttrMatch, AttrMatch__Output as _moby_buildkit_v1_sourcepolicy_AttrMatch__Output } from '../../../../moby/buildkit/v1/sourcepolicy/AttrMatch.js';

export interface AttrConstraint {
  'key'?: (string);
  'value'?: (string);
  'condition'?: (_moby_buildkit_v1_sourcepolicy_AttrMatch);
}

export interface AttrConstraint__Output {
  'key'?: (string);
  'value'?: (string);
  'condition'?: (_moby_buildkit_v1_sourcepolicy_AttrMatch__Output);
}
