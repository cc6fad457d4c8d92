// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto

import type { Long } from '@grpc/proto-loader';

export interface DiskUsageRequest {
  'filter'?: (string)[];
  'ageLimit'?: (number | string | Long);
}

export interface DiskUsageRequest__Output {
  'filter'?: (string)[];
  'ageLimit'?: (string);
}
