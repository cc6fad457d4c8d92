// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

import type { Result as _moby_buildkit_v1_frontend_Result, Result__Output as _moby_buildkit_v1_frontend_Result__Output } from '../../../../moby/buildkit/v1/frontend/Result.js';
import type { Status as _google_rpc_Status, Status__Output as _google_rpc_Status__Output } from '../../../../google/rpc/Status.js';

export interface ReturnRequest {
  'result'?: (_moby_buildkit_v1_frontend_Result | null);
  'error'?: (_google_rpc_Status | null);
}

export interface ReturnRequest__Output {
  'result'?: (_moby_buildkit_v1_frontend_Result__Output);
  'error'?: (_google_rpc_Status__Output);
}
