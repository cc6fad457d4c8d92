// Original file: protos/github.com/moby/buildkit/session/auth/auth.proto


export interface VerifyTokenAuthorityRequest {
  'Host'?: (string);
  'Payload'?: (Buffer | Uint8Array | string);
  'Salt'?: (Buffer | Uint8Array | string);
}

export interface VerifyTokenAuthorityRequest__Output {
  'Host'?: (string);
  'Payload'?: (Buffer);
  'Salt'?: (Buffer);
}
