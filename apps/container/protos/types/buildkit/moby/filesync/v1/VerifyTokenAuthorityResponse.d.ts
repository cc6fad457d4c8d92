// Original file: protos/github.com/moby/buildkit/session/auth/auth.proto


export interface VerifyTokenAuthorityResponse {
  'Signed'?: (Buffer | Uint8Array | string);
}

export interface VerifyTokenAuthorityResponse__Output {
  'Signed'?: (Buffer);
}
