// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto


export interface EvaluateRequest {
  'Ref'?: (string);
}

export interface EvaluateRequest__Output {
  'Ref'?: (string);
}
