// Original file: protos/github.com/containerd/containerd/api/events/task.proto


export interface TaskOOM {
  'containerId'?: (string);
}

export interface TaskOOM__Output {
  'containerId': (string);
}
