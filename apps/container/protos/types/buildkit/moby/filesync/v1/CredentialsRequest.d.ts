// Original file: protos/github.com/moby/buildkit/session/auth/auth.proto


export interface CredentialsRequest {
  'Host'?: (string);
}

export interface CredentialsRequest__Output {
  'Host'?: (string);
}
