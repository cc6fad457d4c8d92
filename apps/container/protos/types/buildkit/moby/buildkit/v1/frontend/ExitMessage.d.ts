// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

import type { Status as _google_rpc_Status, Status__Output as _google_rpc_Status__Output } from '../../../../google/rpc/Status.js';

export interface ExitMessage {
  'Code'?: (number);
  'Error'?: (_google_rpc_Status | null);
}

export interface ExitMessage__Output {
  'Code'?: (number);
  'Error'?: (_google_rpc_Status__Output);
}
