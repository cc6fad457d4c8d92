// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto


export interface StatusRequest {
  'Ref'?: (string);
}

export interface StatusRequest__Output {
  'Ref'?: (string);
}
