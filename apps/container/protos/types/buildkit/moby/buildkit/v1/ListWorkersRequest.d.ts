// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto


export interface ListWorkersRequest {
  'filter'?: (string)[];
}

export interface ListWorkersRequest__Output {
  'filter'?: (string)[];
}
