// Original file: protos/github.com/containerd/cgroups/v2/stats/metrics.proto

import type { Long } from '@grpc/proto-loader';

export interface MemoryEvents {
  'low'?: (number | string | Long);
  'high'?: (number | string | Long);
  'max'?: (number | string | Long);
  'oom'?: (number | string | Long);
  'oomKill'?: (number | string | Long);
}

export interface MemoryEvents__Output {
  'low': (number);
  'high': (number);
  'max': (number);
  'oom': (number);
  'oomKill': (number);
}
