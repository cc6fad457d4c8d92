// Original file: protos/github.com/containerd/cgroups/stats/v1/metrics.proto

import type { Long } from '@grpc/proto-loader';

export interface CPUUsage {
  'total'?: (number | string | Long);
  'kernel'?: (number | string | Long);
  'user'?: (number | string | Long);
  'perCpu'?: (number | string | Long)[];
}

export interface CPUUsage__Output {
  'total': (number);
  'kernel': (number);
  'user': (number);
  'perCpu': (number)[];
}
