// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto


export interface HostIP {
  'Host'?: (string);
  'IP'?: (string);
}

export interface HostIP__Output {
  'Host'?: (string);
  'IP'?: (string);
}
