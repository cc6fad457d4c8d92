// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

import type { SourceOp as _pb_SourceOp, SourceOp__Output as _pb_SourceOp__Output } from '../../../../pb/SourceOp.js';
import type { ResolveSourceImageResponse as _moby_buildkit_v1_frontend_ResolveSourceImageResponse, ResolveSourceImageResponse__Output as _moby_buildkit_v1_frontend_ResolveSourceImageResponse__Output } from '../../../../moby/buildkit/v1/frontend/ResolveSourceImageResponse.js';

export interface ResolveSourceMetaResponse {
  'Source'?: (_pb_SourceOp | null);
  'Image'?: (_moby_buildkit_v1_frontend_ResolveSourceImageResponse | null);
}

export interface ResolveSourceMetaResponse__Output {
  'Source'?: (_pb_SourceOp__Output);
  'Image'?: (_moby_buildkit_v1_frontend_ResolveSourceImageResponse__Output);
}
