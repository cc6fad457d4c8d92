// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

import type { Ref as _moby_buildkit_v1_frontend_Ref, Ref__Output as _moby_buildkit_v1_frontend_Ref__Output } from '../../../../moby/buildkit/v1/frontend/Ref.js';

export interface RefMap {
  'refs'?: ({[key: string]: _moby_buildkit_v1_frontend_Ref});
}

export interface RefMap__Output {
  'refs'?: ({[key: string]: _moby_buildkit_v1_frontend_Ref__Output});
}
