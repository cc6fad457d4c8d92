// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto

import type { UsageRecord as _moby_buildkit_v1_UsageRecord, UsageRecord__Output as _moby_buildkit_v1_UsageRecord__Output } from '../../../moby/buildkit/v1/UsageRecord.js';

export interface DiskUsageResponse {
  'record'?: (_moby_buildkit_v1_UsageRecord)[];
}

export interface DiskUsageResponse__Output {
  'record'?: (_moby_buildkit_v1_UsageRecord__Output)[];
}
