// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto

import type { Exporter as _moby_buildkit_v1_Exporter, Exporter__Output as _moby_buildkit_v1_Exporter__Output } from '../../../moby/buildkit/v1/Exporter.js';
import type { Status as _google_rpc_Status, Status__Output as _google_rpc_Status__Output } from '../../../google/rpc/Status.js';
import type { Timestamp as _google_protobuf_Timestamp, Timestamp__Output as _google_protobuf_Timestamp__Output } from '../../../google/protobuf/Timestamp.js';
import type { Descriptor as _moby_buildkit_v1_Descriptor, Descriptor__Output as _moby_buildkit_v1_Descriptor__Output } from '../../../moby/buildkit/v1/Descriptor.js';
import type { BuildResultInfo as _moby_buildkit_v1_BuildResultInfo, BuildResultInfo__Output as _moby_buildkit_v1_BuildResultInfo__Output } from '../../../moby/buildkit/v1/BuildResultInfo.js';

export interface BuildHistoryRecord {
  'Ref'?: (string);
  'Frontend'?: (string);
  'FrontendAttrs'?: ({[key: string]: string});
  'Exporters'?: (_moby_buildkit_v1_Exporter)[];
  'error'?: (_google_rpc_Status | null);
  'CreatedAt'?: (_google_protobuf_Timestamp | null);
  'CompletedAt'?: (_google_protobuf_Timestamp | null);
  'logs'?: (_moby_buildkit_v1_Descriptor | null);
  'ExporterResponse'?: ({[key: string]: string});
  'Result'?: (_moby_buildkit_v1_BuildResultInfo | null);
  'Results'?: ({[key: string]: _moby_buildkit_v1_BuildResultInfo});
  'Generation'?: (number);
  'trace'?: (_moby_buildkit_v1_Descriptor | null);
  'pinned'?: (boolean);
  'numCachedSteps'?: (number);
  'numTotalSteps'?: (number);
  'numCompletedSteps'?: (number);
  'externalError'?: (_moby_buildkit_v1_Descriptor | null);
  'numWarnings'?: (number);
}

export interface BuildHistoryRecord__Output {
  'Ref'?: (string);
  'Frontend'?: (string);
  'FrontendAttrs'?: ({[key: string]: string});
  'Exporters'?: (_moby_buildkit_v1_Exporter__Output)[];
  'error'?: (_google_rpc_Status__Output);
  'CreatedAt'?: (_google_protobuf_Timestamp__Output);
  'CompletedAt'?: (_google_protobuf_Timestamp__Output);
  'logs'?: (_moby_buildkit_v1_Descriptor__Output);
  'ExporterResponse'?: ({[key: string]: string});
  'Result'?: (_moby_buildkit_v1_BuildResultInfo__Output);
  'Results'?: ({[key: string]: _moby_buildkit_v1_BuildResultInfo__Output});
  'Generation'?: (number);
  'trace'?: (_moby_buildkit_v1_Descriptor__Output);
  'pinned'?: (boolean);
  'numCachedSteps'?: (number);
  'numTotalSteps'?: (number);
  'numCompletedSteps'?: (number);
  'externalError'?: (_moby_buildkit_v1_Descriptor__Output);
  'numWarnings'?: (number);
}
