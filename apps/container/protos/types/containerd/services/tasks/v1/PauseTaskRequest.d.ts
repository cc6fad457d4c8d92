// Original file: protos/github.com/containerd/containerd/api/services/tasks/v1/tasks.proto


export interface PauseTaskRequest {
  'containerId'?: (string);
}

export interface PauseTaskRequest__Output {
  'containerId': (string);
}
