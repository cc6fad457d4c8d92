// Original file: protos/github.com/moby/buildkit/session/auth/auth.proto

import type { Long } from '@grpc/proto-loader';

export interface FetchTokenResponse {
  'Token'?: (string);
  'ExpiresIn'?: (number | string | Long);
  'IssuedAt'?: (number | string | Long);
}

export interface FetchTokenResponse__Output {
  'Token'?: (string);
  'ExpiresIn'?: (string);
  'IssuedAt'?: (string);
}
