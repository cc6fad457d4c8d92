// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto

import type { WorkerRecord as _moby_buildkit_v1_types_WorkerRecord, WorkerRecord__Output as _moby_buildkit_v1_types_WorkerRecord__Output } from '../../../moby/buildkit/v1/types/WorkerRecord.js';

export interface ListWorkersResponse {
  'record'?: (_moby_buildkit_v1_types_WorkerRecord)[];
}

export interface ListWorkersResponse__Output {
  'record'?: (_moby_buildkit_v1_types_WorkerRecord__Output)[];
}
