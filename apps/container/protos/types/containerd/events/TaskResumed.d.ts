// Original file: protos/github.com/containerd/containerd/api/events/task.proto


export interface TaskResumed {
  'containerId'?: (string);
}

export interface TaskResumed__Output {
  'containerId': (string);
}
