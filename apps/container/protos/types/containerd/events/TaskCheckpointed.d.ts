// Original file: protos/github.com/containerd/containerd/api/events/task.proto


export interface TaskCheckpointed {
  'containerId'?: (string);
  'checkpoint'?: (string);
}

export interface TaskCheckpointed__Output {
  'containerId': (string);
  'checkpoint': (string);
}
