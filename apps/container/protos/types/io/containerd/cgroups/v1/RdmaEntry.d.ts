// Original file: protos/github.com/containerd/cgroups/stats/v1/metrics.proto


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
