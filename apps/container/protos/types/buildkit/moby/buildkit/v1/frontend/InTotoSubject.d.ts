// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

import type { InTotoSubjectKind as _moby_buildkit_v1_frontend_InTotoSubjectKind, InTotoSubjectKind__Output as _moby_buildkit_v1_frontend_InTotoSubjectKind__Output } from '../../../../moby/buildkit/v1/frontend/InTotoSubjectKind.js';

export interface InTotoSubject {
  'kind'?: (_moby_buildkit_v1_frontend_InTotoSubjectKind);
  'digest'?: (string)[];
  'name'?: (string);
}

export interface InTotoSubject__Output {
  'kind'?: (_moby_buildkit_v1_frontend_InTotoSubjectKind__Output);
  'digest'?: (string)[];
  'name'?: (string);
}
