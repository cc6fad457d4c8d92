// Original file: protos/github.com/containerd/containerd/api/services/tasks/v1/tasks.proto


export interface ListPidsRequest {
  'containerId'?: (string);
}

export interface ListPidsRequest__Output {
  'containerId': (string);
}
