// Original file: protos/github.com/containerd/containerd/api/events/task.proto


export interface TaskStart {
  'containerId'?: (string);
  'pid'?: (number);
}

export interface TaskStart__Output {
  'containerId': (string);
  'pid': (number);
}
