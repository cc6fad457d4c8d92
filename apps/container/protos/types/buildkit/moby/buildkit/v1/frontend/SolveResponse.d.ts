// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

import type { Result as _moby_buildkit_v1_frontend_Result, Result__Output as _moby_buildkit_v1_frontend_Result__Output } from '../../../../moby/buildkit/v1/frontend/Result.js';

export interface SolveResponse {
  'ref'?: (string);
  'result'?: (_moby_buildkit_v1_frontend_Result | null);
}

export interface SolveResponse__Output {
  'ref'?: (string);
  'result'?: (_moby_buildkit_v1_frontend_Result__Output);
}
