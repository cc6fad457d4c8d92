// Original file: protos/github.com/moby/buildkit/session/auth/auth.proto


export interface GetTokenAuthorityResponse {
  'PublicKey'?: (Buffer | Uint8Array | string);
}

export interface GetTokenAuthorityResponse__Output {
  'PublicKey'?: (Buffer);
}
