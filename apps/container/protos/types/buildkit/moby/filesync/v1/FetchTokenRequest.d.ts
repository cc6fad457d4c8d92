// Original file: protos/github.com/moby/buildkit/session/auth/auth.proto


export interface FetchTokenRequest {
  'ClientID'?: (string);
  'Host'?: (string);
  'Realm'?: (string);
  'Service'?: (string);
  'Scopes'?: (string)[];
}

export interface FetchTokenRequest__Output {
  'ClientID'?: (string);
  'Host'?: (string);
  'Realm'?: (string);
  'Service'?: (string);
  'Scopes'?: (string)[];
}
