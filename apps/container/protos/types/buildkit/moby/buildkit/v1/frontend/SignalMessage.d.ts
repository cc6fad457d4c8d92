// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto


export interface SignalMessage {
  'Name'?: (string);
}

export interface SignalMessage__Output {
  'Name'?: (string);
}
