// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto


export interface ReadFileResponse {
  'Data'?: (Buffer | Uint8Array | string);
}

export interface ReadFileResponse__Output {
  'Data'?: (Buffer);
}
