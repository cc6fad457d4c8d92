// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

import type { Definition as _pb_Definition, Definition__Output as _pb_Definition__Output } from '../../../../pb/Definition.js';
import type { CacheOptionsEntry as _moby_buildkit_v1_frontend_CacheOptionsEntry, CacheOptionsEntry__Output as _moby_buildkit_v1_frontend_CacheOptionsEntry__Output } from '../../../../moby/buildkit/v1/frontend/CacheOptionsEntry.js';
import type { Policy as _moby_buildkit_v1_sourcepolicy_Policy, Policy__Output as _moby_buildkit_v1_sourcepolicy_Policy__Output } from '../../../../moby/buildkit/v1/sourcepolicy/Policy.js';

export interface SolveRequest {
  'Definition'?: (_pb_Definition | null);
  'Frontend'?: (string);
  'FrontendOpt'?: ({[key: string]: string});
  'allowResultReturn'?: (boolean);
  'allowResultArrayRef'?: (boolean);
  'Final'?: (boolean);
  'ExporterAttr'?: (Buffer | Uint8Array | string);
  'CacheImports'?: (_moby_buildkit_v1_frontend_CacheOptionsEntry)[];
  'FrontendInputs'?: ({[key: string]: _pb_Definition});
  'Evaluate'?: (boolean);
  'SourcePolicies'?: (_moby_buildkit_v1_sourcepolicy_Policy)[];
}

export interface SolveRequest__Output {
  'Definition'?: (_pb_Definition__Output);
  'Frontend'?: (string);
  'FrontendOpt'?: ({[key: string]: string});
  'allowResultReturn'?: (boolean);
  'allowResultArrayRef'?: (boolean);
  'Final'?: (boolean);
  'ExporterAttr'?: (Buffer);
  'CacheImports'?: (_moby_buildkit_v1_frontend_CacheOptionsEntry__Output)[];
  'FrontendInputs'?: ({[key: string]: _pb_Definition__Output});
  'Evaluate'?: (boolean);
  'SourcePolicies'?: (_moby_buildkit_v1_sourcepolicy_Policy__Output)[];
}
