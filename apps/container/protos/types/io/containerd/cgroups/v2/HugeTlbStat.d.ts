// Original file: protos/github.com/containerd/cgroups/v2/stats/metrics.proto

import type { Long } from '@grpc/proto-loader';

export interface HugeTlbStat {
  'current'?: (number | string | Long);
  'max'?: (number | string | Long);
  'pagesize'?: (string);
}

export interface HugeTlbStat__Output {
  'current': (number);
  'max': (number);
  'pagesize': (string);
}
