// Original file: protos/github.com/containerd/cgroups/v2/stats/metrics.proto

import type { Long } from '@grpc/proto-loader';

export interface IOEntry {
  'major'?: (number | string | Long);
  'minor'?: (number | string | Long);
  'rbytes'?: (number | string | Long);
  'wbytes'?: (number | string | Long);
  'rios'?: (number | string | Long);
  'wios'?: (number | string | Long);
}

export interface IOEntry__Output {
  'major': (number);
  'minor': (number);
  'rbytes': (number);
  'wbytes': (number);
  'rios': (number);
  'wios': (number);
}
