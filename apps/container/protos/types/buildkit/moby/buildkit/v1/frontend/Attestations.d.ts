// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

import type { Attestation as _moby_buildkit_v1_frontend_Attestation, Attestation__Output as _moby_buildkit_v1_frontend_Attestation__Output } from '../../../../moby/buildkit/v1/frontend/Attestation.js';

export interface Attestations {
  'attestation'?: (_moby_buildkit_v1_frontend_Attestation)[];
}

export interface Attestations__Output {
  'attestation'?: (_moby_buildkit_v1_frontend_Attestation__Output)[];
}
