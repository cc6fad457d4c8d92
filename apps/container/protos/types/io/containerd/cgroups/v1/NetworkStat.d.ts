// Original file: protos/github.com/containerd/cgroups/stats/v1/metrics.proto

import type { Long } from '@grpc/proto-loader';

export interface NetworkStat {
  'name'?: (string);
  'rxBytes'?: (number | string | Long);
  'rxPackets'?: (number | string | Long);
  'rxErrors'?: (number | string | Long);
  'rxDropped'?: (number | string | Long);
  'txBytes'?: (number | string | Long);
  'txPackets'?: (number | string | Long);
  'txErrors'?: (number | string | Long);
  'txDropped'?: (number | string | Long);
}

export interface NetworkStat__Output {
  'name': (string);
  'rxBytes': (number);
  'rxPackets': (number);
  'rxErrors': (number);
  'rxDropped': (number);
  'txBytes': (number);
  'txPackets': (number);
  'txErrors': (number);
  'txDropped': (number);
}
