// Original file: protos/github.com/containerd/containerd/api/events/task.proto


export interface TaskExecStarted {
  'containerId'?: (string);
  'execId'?: (string);
  'pid'?: (number);
}

export interface TaskExecStarted__Output {
  'containerId': (string);
  'execId': (string);
  'pid': (number);
}
