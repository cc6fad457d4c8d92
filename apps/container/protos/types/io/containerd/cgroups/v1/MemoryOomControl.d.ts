// Original file: protos/github.com/containerd/cgroups/stats/v1/metrics.proto

import type { Long } from '@grpc/proto-loader';

export interface MemoryOomControl {
  'oomKillDisable'?: (number | string | Long);
  'underOom'?: (number | string | Long);
  'oomKill'?: (number | string | Long);
}

export interface MemoryOomControl__Output {
  'oomKillDisable': (number);
  'underOom': (number);
  'oomKill': (number);
}
