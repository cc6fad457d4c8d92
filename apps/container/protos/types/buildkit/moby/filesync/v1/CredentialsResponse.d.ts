// Original file: protos/github.com/moby/buildkit/session/auth/auth.proto


export interface CredentialsResponse {
  'Username'?: (string);
  'Secret'?: (string);
}

export interface CredentialsResponse__Output {
  'Username'?: (string);
  'Secret'?: (string);
}
