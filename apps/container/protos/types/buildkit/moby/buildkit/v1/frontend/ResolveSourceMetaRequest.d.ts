// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

import type { SourceOp as _pb_SourceOp, SourceOp__Output as _pb_SourceOp__Output } from '../../../../pb/SourceOp.js';
import type { Platform as _pb_Platform, Platform__Output as _pb_Platform__Output } from '../../../../pb/Platform.js';
import type { Policy as _moby_buildkit_v1_sourcepolicy_Policy, Policy__Output as _moby_buildkit_v1_sourcepolicy_Policy__Output } from '../../../../moby/buildkit/v1/sourcepolicy/Policy.js';

export interface ResolveSourceMetaRequest {
  'Source'?: (_pb_SourceOp | null);
  'Platform'?: (_pb_Platform | null);
  'LogName'?: (string);
  'ResolveMode'?: (string);
  'SourcePolicies'?: (_moby_buildkit_v1_sourcepolicy_Policy)[];
}

export interface ResolveSourceMetaRequest__Output {
  'Source'?: (_pb_SourceOp__Output);
  'Platform'?: (_pb_Platform__Output);
  'LogName'?: (string);
  'ResolveMode'?: (string);
  'SourcePolicies'?: (_moby_buildkit_v1_sourcepolicy_Policy__Output)[];
}
