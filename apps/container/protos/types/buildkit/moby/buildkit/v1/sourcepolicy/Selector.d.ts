// Original file: protos/github.com/moby/buildkit/sourcepolicy/pb/policy.proto

import type { MatchType as _moby_buildkit_v1_sourcepolicy_MatchType, MatchType__Output as _moby_buildkit_v1_sourcepolicy_MatchType__Output } from '../../../../moby/buildkit/v1/sourcepolicy/MatchType.js';
import type { AttrConstraint as _moby_buildkit_v1_sourcepolicy_AttrConstraint, AttrConstraint__Output as _moby_buildkit_v1_sourcepolicy_AttrConstraint__Output } from '../../../../moby/buildkit/v1/sourcepolicy/AttrConstraint.js';

export interface Selector {
  'identifier'?: (string);
  'matchType'?: (_moby_buildkit_v1_sourcepolicy_MatchType);
  'constraints'?: (_moby_buildkit_v1_sourcepolicy_AttrConstraint)[];
}

export interface Selector__Output {
  'identifier'?: (string);
  'matchType'?: (_moby_buildkit_v1_sourcepolicy_MatchType__Output);
  'constraints'?: (_moby_buildkit_v1_sourcepolicy_AttrConstraint__Output)[];
}
