// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto


export interface ExportCache {
  'Value'?: (boolean);
}

export interface ExportCache__Output {
  'Value'?: (boolean);
}
