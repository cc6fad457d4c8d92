// Original file: protos/github.com/moby/buildkit/sourcepolicy/pb/policy.proto

import type { PolicyAction as _moby_buildkit_v1_sourcepolicy_PolicyAction, PolicyAction__Output as _moby_buildkit_v1_sourcepolicy_PolicyAction__Output } from '../../../../moby/buildkit/v1/sourcepolicy/PolicyAction.js';
import type { Selector as _moby_buildkit_v1_sourcepolicy_Selector, Selector__Output as _moby_buildkit_v1_sourcepolicy_Selector__Output } from '../../../../moby/buildkit/v1/sourcepolicy/Selector.js';
import type { Update as _moby_buildkit_v1_sourcepolicy_Update, Update__Output as _moby_buildkit_v1_sourcepolicy_Update__Output } from '../../../../moby/buildkit/v1/sourcepolicy/Update.js';

export interface Rule {
  'action'?: (_moby_buildkit_v1_sourcepolicy_PolicyAction);
  'selector'?: (_moby_buildkit_v1_sourcepolicy_Selector | null);
  'updates'?: (_moby_buildkit_v1_sourcepolicy_Update | null);
}

export interface Rule__Output {
  'action'?: (_moby_buildkit_v1_sourcepolicy_PolicyAction__Output);
  'selector'?: (_moby_buildkit_v1_sourcepolicy_Selector__Output);
  'updates'?: (_moby_buildkit_v1_sourcepolicy_Update__Output);
}
