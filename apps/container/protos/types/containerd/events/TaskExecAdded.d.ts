// Original file: protos/github.com/containerd/containerd/api/events/task.proto


export interface TaskExecAdded {
  'containerId'?: (string);
  'execId'?: (string);
}

export interface TaskExecAdded__Output {
  'containerId': (string);
  'execId': (string);
}
