// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto

import type { BuildHistoryEventType as _moby_buildkit_v1_BuildHistoryEventType, BuildHistoryEventType__Output as _moby_buildkit_v1_BuildHistoryEventType__Output } from '../../../moby/buildkit/v1/BuildHistoryEventType.js';
import type { BuildHistoryRecord as _moby_buildkit_v1_BuildHistoryRecord, BuildHistoryRecord__Output as _moby_buildkit_v1_BuildHistoryRecord__Output } from '../../../moby/buildkit/v1/BuildHistoryRecord.js';

export interface BuildHistoryEvent {
  'type'?: (_moby_buildkit_v1_BuildHistoryEventType);
  'record'?: (_moby_buildkit_v1_BuildHistoryRecord | null);
}

export interface BuildHistoryEvent__Output {
  'type'?: (_moby_buildkit_v1_BuildHistoryEventType__Output);
  'record'?: (_moby_buildkit_v1_BuildHistoryRecord__Output);
}
