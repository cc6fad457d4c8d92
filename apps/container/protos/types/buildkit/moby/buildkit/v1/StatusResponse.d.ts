// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto

import type { Vertex as _moby_buildkit_v1_Vertex, Vertex__Output as _moby_buildkit_v1_Vertex__Output } from '../../../moby/buildkit/v1/Vertex.js';
import type { VertexStatus as _moby_buildkit_v1_VertexStatus, VertexStatus__Output as _moby_buildkit_v1_VertexStatus__Output } from '../../../moby/buildkit/v1/VertexStatus.js';
import type { VertexLog as _moby_buildkit_v1_VertexLog, VertexLog__Output as _moby_buildkit_v1_VertexLog__Output } from '../../../moby/buildkit/v1/VertexLog.js';
import type { VertexWarning as _moby_buildkit_v1_VertexWarning, VertexWarning__Output as _moby_buildkit_v1_VertexWarning__Output } from '../../../moby/buildkit/v1/VertexWarning.js';

export interface StatusResponse {
  'vertexes'?: (_moby_buildkit_v1_Vertex)[];
  'statuses'?: (_moby_buildkit_v1_VertexStatus)[];
  'logs'?: (_moby_buildkit_v1_VertexLog)[];
  'warnings'?: (_moby_buildkit_v1_VertexWarning)[];
}

export interface StatusResponse__Output {
  'vertexes'?: (_moby_buildkit_v1_Vertex__Output)[];
  'statuses'?: (_moby_buildkit_v1_VertexStatus__Output)[];
  'logs'?: (_moby_buildkit_v1_VertexLog__Output)[];
  'warnings'?: (_moby_buildkit_v1_VertexWarning__Output)[];
}
