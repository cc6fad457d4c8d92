// Original file: protos/github.com/containerd/cgroups/v2/stats/metrics.proto

import type { Long } from '@grpc/proto-loader';

export interface CPUStat {
  'usageUsec'?: (number | string | Long);
  'userUsec'?: (number | string | Long);
  'systemUsec'?: (number | string | Long);
  'nrPeriods'?: (number | string | Long);
  'nrThrottled'?: (number | string | Long);
  'throttledUsec'?: (number | string | Long);
}

export interface CPUStat__Output {
  'usageUsec': (number);
  'userUsec': (number);
  'systemUsec': (number);
  'nrPeriods': (number);
  'nrThrottled': (number);
  'throttledUsec': (number);
}
