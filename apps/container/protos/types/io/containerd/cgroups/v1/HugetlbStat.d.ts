// Original file: protos/github.com/containerd/cgroups/stats/v1/metrics.proto

import type { Long } from '@grpc/proto-loader';

export interface HugetlbStat {
  'usage'?: (number | string | Long);
  'max'?: (number | string | Long);
  'failcnt'?: (number | string | Long);
  'pagesize'?: (string);
}

export interface HugetlbStat__Output {
  'usage': (number);
  'max': (number);
  'failcnt': (number);
  'pagesize': (string);
}
