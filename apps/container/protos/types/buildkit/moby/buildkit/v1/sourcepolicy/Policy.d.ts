// Original file: protos/github.com/moby/buildkit/sourcepolicy/pb/policy.proto

import type { Rule as _moby_buildkit_v1_sourcepolicy_Rule, Rule__Output as _moby_buildkit_v1_sourcepolicy_Rule__Output } from '../../../../moby/buildkit/v1/sourcepolicy/Rule.js';
import type { Long } from '@grpc/proto-loader';

export interface Policy {
  'version'?: (number | string | Long);
  'rules'?: (_moby_buildkit_v1_sourcepolicy_Rule)[];
}

export interface Policy__Output {
  'version'?: (string);
  'rules'?: (_moby_buildkit_v1_sourcepolicy_Rule__Output)[];
}
