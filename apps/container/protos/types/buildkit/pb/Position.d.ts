// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto


export interface Position {
  'line'?: (number);
  'character'?: (number);
}

export interface Position__Output {
  'line'?: (number);
  'character'?: (number);
}
