// Original file: protos/github.com/moby/buildkit/api/types/worker.proto

import type { Platform as _pb_Platform, Platform__Output as _pb_Platform__Output } from '../../../../pb/Platform.js';
import type { GCPolicy as _moby_buildkit_v1_types_GCPolicy, GCPolicy__Output as _moby_buildkit_v1_types_GCPolicy__Output } from '../../../../moby/buildkit/v1/types/GCPolicy.js';
import type { BuildkitVersion as _moby_buildkit_v1_types_BuildkitVersion, BuildkitVersion__Output as _moby_buildkit_v1_types_BuildkitVersion__Output } from '../../../../moby/buildkit/v1/types/BuildkitVersion.js';
import type { CDIDevice as _moby_buildkit_v1_types_CDIDevice, CDIDevice__Output as _moby_buildkit_v1_types_CDIDevice__Output } from '../../../../moby/buildkit/v1/types/CDIDevice.js';

export interface WorkerRecord {
  'ID'?: (string);
  'Labels'?: ({[key: string]: string});
  'platforms'?: (_pb_Platform)[];
  'GCPolicy'?: (_moby_buildkit_v1_types_GCPolicy)[];
  'BuildkitVersion'?: (_moby_buildkit_v1_types_BuildkitVersion | null);
  'CDIDevices'?: (_moby_buildkit_v1_types_CDIDevice)[];
}

export interface WorkerRecord__Output {
  'ID'?: (string);
  'Labels'?: ({[key: string]: string});
  'platforms'?: (_pb_Platform__Output)[];
  'GCPolicy'?: (_moby_buildkit_v1_types_GCPolicy__Output)[];
  'BuildkitVersion'?: (_moby_buildkit_v1_types_BuildkitVersion__Output);
  'CDIDevices'?: (_moby_buildkit_v1_types_CDIDevice__Output)[];
}
