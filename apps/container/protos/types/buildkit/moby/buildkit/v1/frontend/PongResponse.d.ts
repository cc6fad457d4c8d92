// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

import type { APICap as _moby_buildkit_v1_apicaps_APICap, APICap__Output as _moby_buildkit_v1_apicaps_APICap__Output } from '../../../../moby/buildkit/v1/apicaps/APICap.js';
import type { WorkerRecord as _moby_buildkit_v1_types_WorkerRecord, WorkerRecord__Output as _moby_buildkit_v1_types_WorkerRecord__Output } from '../../../../moby/buildkit/v1/types/WorkerRecord.js';

export interface PongResponse {
  'FrontendAPICaps'?: (_moby_buildkit_v1_apicaps_APICap)[];
  'LLBCaps'?: (_moby_buildkit_v1_apicaps_APICap)[];
  'Workers'?: (_moby_buildkit_v1_types_WorkerRecord)[];
}

export interface PongResponse__Output {
  'FrontendAPICaps'?: (_moby_buildkit_v1_apicaps_APICap__Output)[];
  'LLBCaps'?: (_moby_buildkit_v1_apicaps_APICap__Output)[];
  'Workers'?: (_moby_buildkit_v1_types_WorkerRecord__Output)[];
}
