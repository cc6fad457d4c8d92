// Original file: protos/github.com/containerd/containerd/api/services/tasks/v1/tasks.proto


export interface GetRequest {
  'containerId'?: (string);
  'execId'?: (string);
}

export interface GetRequest__Output {
  'containerId': (string);
  'execId': (string);
}
