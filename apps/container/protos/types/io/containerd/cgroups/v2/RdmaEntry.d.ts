// Original file: protos/github.com/containerd/cgroups/v2/stats/metrics.proto


export interface RdmaEntry {
  'device'?: (string);
  'hcaHandles'?: (number);
  'hcaObjects'?: (number);
}

export interface RdmaEntry__Output {
  'device': (string);
  'hcaHandles': (number);
  'hcaObjects': (number);
}
