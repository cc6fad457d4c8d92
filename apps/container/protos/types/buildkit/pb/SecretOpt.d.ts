// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto


export interface SecretOpt {
  'ID'?: (string);
  'uid'?: (number);
  'gid'?: (number);
  'mode'?: (number);
  'optional'?: (boolean);
}

export interface SecretOpt__Output {
  'ID'?: (string);
  'uid'?: (number);
  'gid'?: (number);
  'mode'?: (number);
  'optional'?: (boolean);
}
