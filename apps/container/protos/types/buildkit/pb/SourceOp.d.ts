// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto


export interface SourceOp {
  'identifier'?: (string);
  'attrs'?: ({[key: string]: string});
}

export interface SourceOp__Output {
  'identifier'?: (string);
  'attrs'?: ({[key: string]: string});
}
