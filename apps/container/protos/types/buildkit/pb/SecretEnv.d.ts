// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto


export interface SecretEnv {
  'ID'?: (string);
  'name'?: (string);
  'optional'?: (boolean);
}

export interface SecretEnv__Output {
  'ID'?: (string);
  'name'?: (string);
  'optional'?: (boolean);
}
