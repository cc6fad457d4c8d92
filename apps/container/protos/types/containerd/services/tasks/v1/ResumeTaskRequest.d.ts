// Original file: protos/github.com/containerd/containerd/api/services/tasks/v1/tasks.proto


export interface ResumeTaskRequest {
  'containerId'?: (string);
}

export interface ResumeTaskRequest__Output {
  'containerId': (string);
}
