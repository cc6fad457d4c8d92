// Original file: protos/github.com/containerd/cgroups/stats/v1/metrics.proto

import type { Long } from '@grpc/proto-loader';

export interface Throttle {
  'periods'?: (number | string | Long);
  'throttledPeriods'?: (number | string | Long);
  'throttledTime'?: (number | string | Long);
}

export interface Throttle__Output {
  'periods': (number);
  'throttledPeriods': (number);
  'throttledTime': (number);
}
