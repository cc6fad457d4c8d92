// Original file: protos/github.com/containerd/cgroups/stats/v1/metrics.proto

import type { BlkIOEntry as _io_containerd_cgroups_v1_BlkIOEntry, BlkIOEntry__Output as _io_containerd_cgroups_v1_BlkIOEntry__Output } from '../../../../io/containerd/cgroups/v1/BlkIOEntry.js';

export interface BlkIOStat {
  'ioServiceBytesRecursive'?: (_io_containerd_cgroups_v1_BlkIOEntry)[];
  'ioServicedRecursive'?: (_io_containerd_cgroups_v1_BlkIOEntry)[];
  'ioQueuedRecursive'?: (_io_containerd_cgroups_v1_BlkIOEntry)[];
  'ioServiceTimeRecursive'?: (_io_containerd_cgroups_v1_BlkIOEntry)[];
  'ioWaitTimeRecursive'?: (_io_containerd_cgroups_v1_BlkIOEntry)[];
  'ioMergedRecursive'?: (_io_containerd_cgroups_v1_BlkIOEntry)[];
  'ioTimeRecursive'?: (_io_containerd_cgroups_v1_BlkIOEntry)[];
  'sectorsRecursive'?: (_io_containerd_cgroups_v1_BlkIOEntry)[];
}

export interface BlkIOStat__Output {
  'ioServiceBytesRecursive': (_io_containerd_cgroups_v1_BlkIOEntry__Output)[];
  'ioServicedRecursive': (_io_containerd_cgroups_v1_BlkIOEntry__Output)[];
  'ioQueuedRecursive': (_io_containerd_cgroups_v1_BlkIOEntry__Output)[];
  'ioServiceTimeRecursive': (_io_containerd_cgroups_v1_BlkIOEntry__Output)[];
  'ioWaitTimeRecursive': (_io_containerd_cgroups_v1_BlkIOEntry__Output)[];
  'ioMergedRecursive': (_io_containerd_cgroups_v1_BlkIOEntry__Output)[];
  'ioTimeRecursive': (_io_containerd_cgroups_v1_BlkIOEntry__Output)[];
  'sectorsRecursive': (_io_containerd_cgroups_v1_BlkIOEntry__Output)[];
}
