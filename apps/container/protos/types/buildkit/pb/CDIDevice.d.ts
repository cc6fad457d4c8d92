// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto


export interface CDIDevice {
  'name'?: (string);
  'optional'?: (boolean);
}

export interface CDIDevice__Output {
  'name'?: (string);
  'optional'?: (boolean);
}
