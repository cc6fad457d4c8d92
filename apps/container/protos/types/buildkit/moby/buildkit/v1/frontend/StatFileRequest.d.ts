// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto


export interface StatFileRequest {
  'Ref'?: (string);
  'Path'?: (string);
}

export interface StatFileRequest__Output {
  'Ref'?: (string);
  'Path'?: (string);
}
