// Original file: protos/github.com/moby/buildkit/api/types/worker.proto

import type { Long } from '@grpc/proto-loader';

export interface GCPolicy {
  'all'?: (boolean);
  'keepDuration'?: (number | string | Long);
  'reservedSpace'?: (number | string | Long);
  'filters'?: (string)[];
  'maxUsedSpace'?: (number | string | Long);
  'minFreeSpace'?: (number | string | Long);
}

export interface GCPolicy__Output {
  'all'?: (boolean);
  'keepDuration'?: (string);
  'reservedSpace'?: (string);
  'filters'?: (string)[];
  'maxUsedSpace'?: (string);
  'minFreeSpace'?: (string);
}
