// Original file: protos/github.com/moby/buildkit/session/auth/auth.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CredentialsRequest as _moby_filesync_v1_CredentialsRequest, CredentialsRequest__Output as _moby_filesync_v1_CredentialsRequest__Output } from '../../../moby/filesync/v1/CredentialsRequest.js';
import type { CredentialsResponse as _moby_filesync_v1_CredentialsResponse, CredentialsResponse__Output as _moby_filesync_v1_CredentialsResponse__Output } from '../../../moby/filesync/v1/CredentialsResponse.js';
import type { FetchTokenRequest as _moby_filesync_v1_FetchTokenRequest, FetchTokenRequest__Output as _moby_filesync_v1_FetchTokenRequest__Output } from '../../../moby/filesync/v1/FetchTokenRequest.js';
import type { FetchTokenResponse as _moby_filesync_v1_FetchTokenResponse, FetchTokenResponse__Output as _moby_filesync_v1_FetchTokenResponse__Output } from '../../../moby/filesync/v1/FetchTokenResponse.js';
import type { GetTokenAuthorityRequest as _moby_filesync_v1_GetTokenAuthorityRequest, GetTokenAuthorityRequest__Output as _moby_filesync_v1_GetTokenAuthorityRequest__Output } from '../../../moby/filesync/v1/GetTokenAuthorityRequest.js';
import type { GetTokenAuthorityResponse as _moby_filesync_v1_GetTokenAuthorityResponse, GetTokenAuthorityResponse__Output as _moby_filesync_v1_GetTokenAuthorityResponse__Output } from '../../../moby/filesync/v1/GetTokenAuthorityResponse.js';
import type { VerifyTokenAuthorityRequest as _moby_filesync_v1_VerifyTokenAuthorityRequest, VerifyTokenAuthorityRequest__Output as _moby_filesync_v1_VerifyTokenAuthorityRequest__Output } from '../../../moby/filesync/v1/VerifyTokenAuthorityRequest.js';
import type { VerifyTokenAuthorityResponse as _moby_filesync_v1_VerifyTokenAuthorityResponse, VerifyTokenAuthorityResponse__Output as _moby_filesync_v1_VerifyTokenAuthorityResponse__Output } from '../../../moby/filesync/v1/VerifyTokenAuthorityResponse.js';

export interface AuthClient extends grpc.Client {
  Credentials(argument: _moby_filesync_v1_CredentialsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_filesync_v1_CredentialsResponse__Output>): grpc.ClientUnaryCall;
  Credentials(argument: _moby_filesync_v1_CredentialsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_filesync_v1_CredentialsResponse__Output>): grpc.ClientUnaryCall;
  Credentials(argument: _moby_filesync_v1_CredentialsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_filesync_v1_CredentialsResponse__Output>): grpc.ClientUnaryCall;
  Credentials(argument: _moby_filesync_v1_CredentialsRequest, callback: grpc.requestCallback<_moby_filesync_v1_CredentialsResponse__Output>): grpc.ClientUnaryCall;
  credentials(argument: _moby_filesync_v1_CredentialsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_filesync_v1_CredentialsResponse__Output>): grpc.ClientUnaryCall;
  credentials(argument: _moby_filesync_v1_CredentialsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_filesync_v1_CredentialsResponse__Output>): grpc.ClientUnaryCall;
  credentials(argument: _moby_filesync_v1_CredentialsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_filesync_v1_CredentialsResponse__Output>): grpc.ClientUnaryCall;
  credentials(argument: _moby_filesync_v1_CredentialsRequest, callback: grpc.requestCallback<_moby_filesync_v1_CredentialsResponse__Output>): grpc.ClientUnaryCall;
  
  FetchToken(argument: _moby_filesync_v1_FetchTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_filesync_v1_FetchTokenResponse__Output>): grpc.ClientUnaryCall;
  FetchToken(argument: _moby_filesync_v1_FetchTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_filesync_v1_FetchTokenResponse__Output>): grpc.ClientUnaryCall;
  FetchToken(argument: _moby_filesync_v1_FetchTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_filesync_v1_FetchTokenResponse__Output>): grpc.ClientUnaryCall;
  FetchToken(argument: _moby_filesync_v1_FetchTokenRequest, callback: grpc.requestCallback<_moby_filesync_v1_FetchTokenResponse__Output>): grpc.ClientUnaryCall;
  fetchToken(argument: _moby_filesync_v1_FetchTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_filesync_v1_FetchTokenResponse__Output>): grpc.ClientUnaryCall;
  fetchToken(argument: _moby_filesync_v1_FetchTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_filesync_v1_FetchTokenResponse__Output>): grpc.ClientUnaryCall;
  fetchToken(argument: _moby_filesync_v1_FetchTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_filesync_v1_FetchTokenResponse__Output>): grpc.ClientUnaryCall;
  fetchToken(argument: _moby_filesync_v1_FetchTokenRequest, callback: grpc.requestCallback<_moby_filesync_v1_FetchTokenResponse__Output>): grpc.ClientUnaryCall;
  
  GetTokenAuthority(argument: _moby_filesync_v1_GetTokenAuthorityRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_filesync_v1_GetTokenAuthorityResponse__Output>): grpc.ClientUnaryCall;
  GetTokenAuthority(argument: _moby_filesync_v1_GetTokenAuthorityRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_filesync_v1_GetTokenAuthorityResponse__Output>): grpc.ClientUnaryCall;
  GetTokenAuthority(argument: _moby_filesync_v1_GetTokenAuthorityRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_filesync_v1_GetTokenAuthorityResponse__Output>): grpc.ClientUnaryCall;
  GetTokenAuthority(argument: _moby_filesync_v1_GetTokenAuthorityRequest, callback: grpc.requestCallback<_moby_filesync_v1_GetTokenAuthorityResponse__Output>): grpc.ClientUnaryCall;
  getTokenAuthority(argument: _moby_filesync_v1_GetTokenAuthorityRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_filesync_v1_GetTokenAuthorityResponse__Output>): grpc.ClientUnaryCall;
  getTokenAuthority(argument: _moby_filesync_v1_GetTokenAuthorityRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_filesync_v1_GetTokenAuthorityResponse__Output>): grpc.ClientUnaryCall;
  getTokenAuthority(argument: _moby_filesync_v1_GetTokenAuthorityRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_filesync_v1_GetTokenAuthorityResponse__Output>): grpc.ClientUnaryCall;
  getTokenAuthority(argument: _moby_filesync_v1_GetTokenAuthorityRequest, callback: grpc.requestCallback<_moby_filesync_v1_GetTokenAuthorityResponse__Output>): grpc.ClientUnaryCall;
  
  VerifyTokenAuthority(argument: _moby_filesync_v1_VerifyTokenAuthorityRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_filesync_v1_VerifyTokenAuthorityResponse__Output>): grpc.ClientUnaryCall;
  VerifyTokenAuthority(argument: _moby_filesync_v1_VerifyTokenAuthorityRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_filesync_v1_VerifyTokenAuthorityResponse__Output>): grpc.ClientUnaryCall;
  VerifyTokenAuthority(argument: _moby_filesync_v1_VerifyTokenAuthorityRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_filesync_v1_VerifyTokenAuthorityResponse__Output>): grpc.ClientUnaryCall;
  VerifyTokenAuthority(argument: _moby_filesync_v1_VerifyTokenAuthorityRequest, callback: grpc.requestCallback<_moby_filesync_v1_VerifyTokenAuthorityResponse__Output>): grpc.ClientUnaryCall;
  verifyTokenAuthority(argument: _moby_filesync_v1_VerifyTokenAuthorityRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_filesync_v1_VerifyTokenAuthorityResponse__Output>): grpc.ClientUnaryCall;
  verifyTokenAuthority(argument: _moby_filesync_v1_VerifyTokenAuthorityRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_filesync_v1_VerifyTokenAuthorityResponse__Output>): grpc.ClientUnaryCall;
  verifyTokenAuthority(argument: _moby_filesync_v1_VerifyTokenAuthorityRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_filesync_v1_VerifyTokenAuthorityResponse__Output>): grpc.ClientUnaryCall;
  verifyTokenAuthority(argument: _moby_filesync_v1_VerifyTokenAuthorityRequest, callback: grpc.requestCallback<_moby_filesync_v1_VerifyTokenAuthorityResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface AuthHandlers extends grpc.UntypedServiceImplementation {
  Credentials: grpc.handleUnaryCall<_moby_filesync_v1_CredentialsRequest__Output, _moby_filesync_v1_CredentialsResponse>;
  
  FetchToken: grpc.handleUnaryCall<_moby_filesync_v1_FetchTokenRequest__Output, _moby_filesync_v1_FetchTokenResponse>;
  
  GetTokenAuthority: grpc.handleUnaryCall<_moby_filesync_v1_GetTokenAuthorityRequest__Output, _moby_filesync_v1_GetTokenAuthorityResponse>;
  
  VerifyTokenAuthority: grpc.handleUnaryCall<_moby_filesync_v1_VerifyTokenAuthorityRequest__Output, _moby_filesync_v1_VerifyTokenAuthorityResponse>;
  
}

export interface AuthDefinition extends grpc.ServiceDefinition {
  Credentials: MethodDefinition<_moby_filesync_v1_CredentialsRequest, _moby_filesync_v1_CredentialsResponse, _moby_filesync_v1_CredentialsRequest__Output, _moby_filesync_v1_CredentialsResponse__Output>
  FetchToken: MethodDefinition<_moby_filesync_v1_FetchTokenRequest, _moby_filesync_v1_FetchTokenResponse, _moby_filesync_v1_FetchTokenRequest__Output, _moby_filesync_v1_FetchTokenResponse__Output>
  GetTokenAuthority: MethodDefinition<_moby_filesync_v1_GetTokenAuthorityRequest, _moby_filesync_v1_GetTokenAuthorityResponse, _moby_filesync_v1_GetTokenAuthorityRequest__Output, _moby_filesync_v1_GetTokenAuthorityResponse__Output>
  VerifyTokenAuthority: MethodDefinition<_moby_filesync_v1_VerifyTokenAuthorityRequest, _moby_filesync_v1_VerifyTokenAuthorityResponse, _moby_filesync_v1_VerifyTokenAuthorityRequest__Output, _moby_filesync_v1_VerifyTokenAuthorityResponse__Output>
}
