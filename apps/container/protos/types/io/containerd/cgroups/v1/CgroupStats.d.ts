// Original file: protos/github.com/containerd/cgroups/stats/v1/metrics.proto

import type { Long } from '@grpc/proto-loader';

export interface CgroupStats {
  'nrSleeping'?: (number | string | Long);
  'nrRunning'?: (number | string | Long);
  'nrStopped'?: (number | string | Long);
  'nrUninterruptible'?: (number | string | Long);
  'nrIoWait'?: (number | string | Long);
}

export interface CgroupStats__Output {
  'nrSleeping': (number);
  'nrRunning': (number);
  'nrStopped': (number);
  'nrUninterruptible': (number);
  'nrIoWait': (number);
}
