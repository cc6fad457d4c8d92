// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

import type { RefMapDeprecated as _moby_buildkit_v1_frontend_RefMapDeprecated, RefMapDeprecated__Output as _moby_buildkit_v1_frontend_RefMapDeprecated__Output } from '../../../../moby/buildkit/v1/frontend/RefMapDeprecated.js';
import type { Ref as _moby_buildkit_v1_frontend_Ref, Ref__Output as _moby_buildkit_v1_frontend_Ref__Output } from '../../../../moby/buildkit/v1/frontend/Ref.js';
import type { RefMap as _moby_buildkit_v1_frontend_RefMap, RefMap__Output as _moby_buildkit_v1_frontend_RefMap__Output } from '../../../../moby/buildkit/v1/frontend/RefMap.js';
import type { Attestations as _moby_buildkit_v1_frontend_Attestations, Attestations__Output as _moby_buildkit_v1_frontend_Attestations__Output } from '../../../../moby/buildkit/v1/frontend/Attestations.js';

export interface Result {
  'refDeprecated'?: (string);
  'refsDeprecated'?: (_moby_buildkit_v1_frontend_RefMapDeprecated | null);
  'ref'?: (_moby_buildkit_v1_frontend_Ref | null);
  'refs'?: (_moby_buildkit_v1_frontend_RefMap | null);
  'metadata'?: ({[key: string]: Buffer | Uint8Array | string});
  'attestations'?: ({[key: string]: _moby_buildkit_v1_frontend_Attestations});
  'result'?: "refDeprecated"|"refsDeprecated"|"ref"|"refs";
}

export interface Result__Output {
  'refDeprecated'?: (string);
  'refsDeprecated'?: (_moby_buildkit_v1_frontend_RefMapDeprecated__Output);
  'ref'?: (_moby_buildkit_v1_frontend_Ref__Output);
  'refs'?: (_moby_buildkit_v1_frontend_RefMap__Output);
  'metadata'?: ({[key: string]: Buffer});
  'attestations'?: ({[key: string]: _moby_buildkit_v1_frontend_Attestations__Output});
}
