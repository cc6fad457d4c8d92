// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

import type { Platform as _pb_Platform, Platform__Output as _pb_Platform__Output } from '../../../../pb/Platform.js';
import type { Policy as _moby_buildkit_v1_sourcepolicy_Policy, Policy__Output as _moby_buildkit_v1_sourcepolicy_Policy__Output } from '../../../../moby/buildkit/v1/sourcepolicy/Policy.js';

export interface ResolveImageConfigRequest {
  'Ref'?: (string);
  'Platform'?: (_pb_Platform | null);
  'ResolveMode'?: (string);
  'LogName'?: (string);
  'ResolverType'?: (number);
  'SessionID'?: (string);
  'StoreID'?: (string);
  'SourcePolicies'?: (_moby_buildkit_v1_sourcepolicy_Policy)[];
}

export interface ResolveImageConfigRequest__Output {
  'Ref'?: (string);
  'Platform'?: (_pb_Platform__Output);
  'ResolveMode'?: (string);
  'LogName'?: (string);
  'ResolverType'?: (number);
  'SessionID'?: (string);
  'StoreID'?: (string);
  'SourcePolicies'?: (_moby_buildkit_v1_sourcepolicy_Policy__Output)[];
}
