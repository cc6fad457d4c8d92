// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto


export interface WorkerConstraints {
  'filter'?: (string)[];
}

export interface WorkerConstraints__Output {
  'filter'?: (string)[];
}
