// Original file: protos/github.com/containerd/containerd/api/events/task.proto


export interface TaskPaused {
  'containerId'?: (string);
}

export interface TaskPaused__Output {
  'containerId': (string);
}
