// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto


export interface ResolveSourceImageResponse {
  'Digest'?: (string);
  'Config'?: (Buffer | Uint8Array | string);
}

export interface ResolveSourceImageResponse__Output {
  'Digest'?: (string);
  'Config'?: (Buffer);
}
