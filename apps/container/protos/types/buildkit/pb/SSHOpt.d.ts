// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto


export interface SSHOpt {
  'ID'?: (string);
  'uid'?: (number);
  'gid'?: (number);
  'mode'?: (number);
  'optional'?: (boolean);
}

export interface SSHOpt__Output {
  'ID'?: (string);
  'uid'?: (number);
  'gid'?: (number);
  'mode'?: (number);
  'optional'?: (boolean);
}
