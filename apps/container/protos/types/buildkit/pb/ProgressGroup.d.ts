// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto


export interface ProgressGroup {
  'id'?: (string);
  'name'?: (string);
  'weak'?: (boolean);
}

export interface ProgressGroup__Output {
  'id'?: (string);
  'name'?: (string);
  'weak'?: (boolean);
}
