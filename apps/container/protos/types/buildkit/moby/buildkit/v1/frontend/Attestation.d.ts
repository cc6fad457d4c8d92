// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

import type { AttestationKind as _moby_buildkit_v1_frontend_AttestationKind, AttestationKind__Output as _moby_buildkit_v1_frontend_AttestationKind__Output } from '../../../../moby/buildkit/v1/frontend/AttestationKind.js';
import type { Ref as _moby_buildkit_v1_frontend_Ref, Ref__Output as _moby_buildkit_v1_frontend_Ref__Output } from '../../../../moby/buildkit/v1/frontend/Ref.js';
import type { InTotoSubject as _moby_buildkit_v1_frontend_InTotoSubject, InTotoSubject__Output as _moby_buildkit_v1_frontend_InTotoSubject__Output } from '../../../../moby/buildkit/v1/frontend/InTotoSubject.js';

export interface Attestation {
  'kind'?: (_moby_buildkit_v1_frontend_AttestationKind);
  'metadata'?: ({[key: string]: Buffer | Uint8Array | string});
  'ref'?: (_moby_buildkit_v1_frontend_Ref | null);
  'path'?: (string);
  'inTotoPredicateType'?: (string);
  'inTotoSubjects'?: (_moby_buildkit_v1_frontend_InTotoSubject)[];
}

export interface Attestation__Output {
  'kind'?: (_moby_buildkit_v1_frontend_AttestationKind__Output);
  'metadata'?: ({[key: string]: Buffer});
  'ref'?: (_moby_buildkit_v1_frontend_Ref__Output);
  'path'?: (string);
  'inTotoPredicateType'?: (string);
  'inTotoSubjects'?: (_moby_buildkit_v1_frontend_InTotoSubject__Output)[];
}
