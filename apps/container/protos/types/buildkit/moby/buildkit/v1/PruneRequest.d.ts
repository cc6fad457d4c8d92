// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto

import type { Long } from '@grpc/proto-loader';

export interface PruneRequest {
  'filter'?: (string)[];
  'all'?: (boolean);
  'keepDuration'?: (number | string | Long);
  'reservedSpace'?: (number | string | Long);
  'maxUsedSpace'?: (number | string | Long);
  'minFreeSpace'?: (number | string | Long);
}

export interface PruneRequest__Output {
  'filter'?: (string)[];
  'all'?: (boolean);
  'keepDuration'?: (string);
  'reservedSpace'?: (string);
  'maxUsedSpace'?: (string);
  'minFreeSpace'?: (string);
}
