// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto

import type { BuildkitVersion as _moby_buildkit_v1_types_BuildkitVersion, BuildkitVersion__Output as _moby_buildkit_v1_types_BuildkitVersion__Output } from '../../../moby/buildkit/v1/types/BuildkitVersion.js';

export interface InfoResponse {
  'buildkitVersion'?: (_moby_buildkit_v1_types_BuildkitVersion | null);
}

export interface InfoResponse__Output {
  'buildkitVersion'?: (_moby_buildkit_v1_types_BuildkitVersion__Output);
}
