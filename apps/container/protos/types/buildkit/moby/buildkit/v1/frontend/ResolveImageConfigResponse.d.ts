// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto


export interface ResolveImageConfigResponse {
  'Digest'?: (string);
  'Config'?: (Buffer | Uint8Array | string);
  'Ref'?: (string);
}

export interface ResolveImageConfigResponse__Output {
  'Digest'?: (string);
  'Config'?: (Buffer);
  'Ref'?: (string);
}
