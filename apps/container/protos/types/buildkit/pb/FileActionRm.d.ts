// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto


export interface FileActionRm {
  'path'?: (string);
  'allowNotFound'?: (boolean);
  'allowWildcard'?: (boolean);
}

export interface FileActionRm__Output {
  'path'?: (string);
  'allowNotFound'?: (boolean);
  'allowWildcard'?: (boolean);
}
