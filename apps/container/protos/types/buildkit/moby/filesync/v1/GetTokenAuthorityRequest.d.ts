// Original file: protos/github.com/moby/buildkit/session/auth/auth.proto


export interface GetTokenAuthorityRequest {
  'Host'?: (string);
  'Salt'?: (Buffer | Uint8Array | string);
}

export interface GetTokenAuthorityRequest__Output {
  'Host'?: (string);
  'Salt'?: (Buffer);
}
