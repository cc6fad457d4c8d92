// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { EvaluateRequest as _moby_buildkit_v1_frontend_EvaluateRequest, EvaluateRequest__Output as _moby_buildkit_v1_frontend_EvaluateRequest__Output } from '../../../../moby/buildkit/v1/frontend/EvaluateRequest.js';
import type { EvaluateResponse as _moby_buildkit_v1_frontend_EvaluateResponse, EvaluateResponse__Output as _moby_buildkit_v1_frontend_EvaluateResponse__Output } from '../../../../moby/buildkit/v1/frontend/EvaluateResponse.js';
import type { ExecMessage as _moby_buildkit_v1_frontend_ExecMessage, ExecMessage__Output as _moby_buildkit_v1_frontend_ExecMessage__Output } from '../../../../moby/buildkit/v1/frontend/ExecMessage.js';
import type { InputsRequest as _moby_buildkit_v1_frontend_InputsRequest, InputsRequest__Output as _moby_buildkit_v1_frontend_InputsRequest__Output } from '../../../../moby/buildkit/v1/frontend/InputsRequest.js';
import type { InputsResponse as _moby_buildkit_v1_frontend_InputsResponse, InputsResponse__Output as _moby_buildkit_v1_frontend_InputsResponse__Output } from '../../../../moby/buildkit/v1/frontend/InputsResponse.js';
import type { NewContainerRequest as _moby_buildkit_v1_frontend_NewContainerRequest, NewContainerRequest__Output as _moby_buildkit_v1_frontend_NewContainerRequest__Output } from '../../../../moby/buildkit/v1/frontend/NewContainerRequest.js';
import type { NewContainerResponse as _moby_buildkit_v1_frontend_NewContainerResponse, NewContainerResponse__Output as _moby_buildkit_v1_frontend_NewContainerResponse__Output } from '../../../../moby/buildkit/v1/frontend/NewContainerResponse.js';
import type { PingRequest as _moby_buildkit_v1_frontend_PingRequest, PingRequest__Output as _moby_buildkit_v1_frontend_PingRequest__Output } from '../../../../moby/buildkit/v1/frontend/PingRequest.js';
import type { PongResponse as _moby_buildkit_v1_frontend_PongResponse, PongResponse__Output as _moby_buildkit_v1_frontend_PongResponse__Output } from '../../../../moby/buildkit/v1/frontend/PongResponse.js';
import type { ReadDirRequest as _moby_buildkit_v1_frontend_ReadDirRequest, ReadDirRequest__Output as _moby_buildkit_v1_frontend_ReadDirRequest__Output } from '../../../../moby/buildkit/v1/frontend/ReadDirRequest.js';
import type { ReadDirResponse as _moby_buildkit_v1_frontend_ReadDirResponse, ReadDirResponse__Output as _moby_buildkit_v1_frontend_ReadDirResponse__Output } from '../../../../moby/buildkit/v1/frontend/ReadDirResponse.js';
import type { ReadFileRequest as _moby_buildkit_v1_frontend_ReadFileRequest, ReadFileRequest__Output as _moby_buildkit_v1_frontend_ReadFileRequest__Output } from '../../../../moby/buildkit/v1/frontend/ReadFileRequest.js';
import type { ReadFileResponse as _moby_buildkit_v1_frontend_ReadFileResponse, ReadFileResponse__Output as _moby_buildkit_v1_frontend_ReadFileResponse__Output } from '../../../../moby/buildkit/v1/frontend/ReadFileResponse.js';
import type { ReleaseContainerRequest as _moby_buildkit_v1_frontend_ReleaseContainerRequest, ReleaseContainerRequest__Output as _moby_buildkit_v1_frontend_ReleaseContainerRequest__Output } from '../../../../moby/buildkit/v1/frontend/ReleaseContainerRequest.js';
import type { ReleaseContainerResponse as _moby_buildkit_v1_frontend_ReleaseContainerResponse, ReleaseContainerResponse__Output as _moby_buildkit_v1_frontend_ReleaseContainerResponse__Output } from '../../../../moby/buildkit/v1/frontend/ReleaseContainerResponse.js';
import type { ResolveImageConfigRequest as _moby_buildkit_v1_frontend_ResolveImageConfigRequest, ResolveImageConfigRequest__Output as _moby_buildkit_v1_frontend_ResolveImageConfigRequest__Output } from '../../../../moby/buildkit/v1/frontend/ResolveImageConfigRequest.js';
import type { ResolveImageConfigResponse as _moby_buildkit_v1_frontend_ResolveImageConfigResponse, ResolveImageConfigResponse__Output as _moby_buildkit_v1_frontend_ResolveImageConfigResponse__Output } from '../../../../moby/buildkit/v1/frontend/ResolveImageConfigResponse.js';
import type { ResolveSourceMetaRequest as _moby_buildkit_v1_frontend_ResolveSourceMetaRequest, ResolveSourceMetaRequest__Output as _moby_buildkit_v1_frontend_ResolveSourceMetaRequest__Output } from '../../../../moby/buildkit/v1/frontend/ResolveSourceMetaRequest.js';
import type { ResolveSourceMetaResponse as _moby_buildkit_v1_frontend_ResolveSourceMetaResponse, ResolveSourceMetaResponse__Output as _moby_buildkit_v1_frontend_ResolveSourceMetaResponse__Output } from '../../../../moby/buildkit/v1/frontend/ResolveSourceMetaResponse.js';
import type { ReturnRequest as _moby_buildkit_v1_frontend_ReturnRequest, ReturnRequest__Output as _moby_buildkit_v1_frontend_ReturnRequest__Output } from '../../../../moby/buildkit/v1/frontend/ReturnRequest.js';
import type { ReturnResponse as _moby_buildkit_v1_frontend_ReturnResponse, ReturnResponse__Output as _moby_buildkit_v1_frontend_ReturnResponse__Output } from '../../../../moby/buildkit/v1/frontend/ReturnResponse.js';
import type { SolveRequest as _moby_buildkit_v1_frontend_SolveRequest, SolveRequest__Output as _moby_buildkit_v1_frontend_SolveRequest__Output } from '../../../../moby/buildkit/v1/frontend/SolveRequest.js';
import type { SolveResponse as _moby_buildkit_v1_frontend_SolveResponse, SolveResponse__Output as _moby_buildkit_v1_frontend_SolveResponse__Output } from '../../../../moby/buildkit/v1/frontend/SolveResponse.js';
import type { StatFileRequest as _moby_buildkit_v1_frontend_StatFileRequest, StatFileRequest__Output as _moby_buildkit_v1_frontend_StatFileRequest__Output } from '../../../../moby/buildkit/v1/frontend/StatFileRequest.js';
import type { StatFileResponse as _moby_buildkit_v1_frontend_StatFileResponse, StatFileResponse__Output as _moby_buildkit_v1_frontend_StatFileResponse__Output } from '../../../../moby/buildkit/v1/frontend/StatFileResponse.js';
import type { WarnRequest as _moby_buildkit_v1_frontend_WarnRequest, WarnRequest__Output as _moby_buildkit_v1_frontend_WarnRequest__Output } from '../../../../moby/buildkit/v1/frontend/WarnRequest.js';
import type { WarnResponse as _moby_buildkit_v1_frontend_WarnResponse, WarnResponse__Output as _moby_buildkit_v1_frontend_WarnResponse__Output } from '../../../../moby/buildkit/v1/frontend/WarnResponse.js';

export interface LLBBridgeClient extends grpc.Client {
  Evaluate(argument: _moby_buildkit_v1_frontend_EvaluateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_EvaluateResponse__Output>): grpc.ClientUnaryCall;
  Evaluate(argument: _moby_buildkit_v1_frontend_EvaluateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_EvaluateResponse__Output>): grpc.ClientUnaryCall;
  Evaluate(argument: _moby_buildkit_v1_frontend_EvaluateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_EvaluateResponse__Output>): grpc.ClientUnaryCall;
  Evaluate(argument: _moby_buildkit_v1_frontend_EvaluateRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_EvaluateResponse__Output>): grpc.ClientUnaryCall;
  evaluate(argument: _moby_buildkit_v1_frontend_EvaluateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_EvaluateResponse__Output>): grpc.ClientUnaryCall;
  evaluate(argument: _moby_buildkit_v1_frontend_EvaluateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_EvaluateResponse__Output>): grpc.ClientUnaryCall;
  evaluate(argument: _moby_buildkit_v1_frontend_EvaluateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_EvaluateResponse__Output>): grpc.ClientUnaryCall;
  evaluate(argument: _moby_buildkit_v1_frontend_EvaluateRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_EvaluateResponse__Output>): grpc.ClientUnaryCall;
  
  ExecProcess(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_moby_buildkit_v1_frontend_ExecMessage, _moby_buildkit_v1_frontend_ExecMessage__Output>;
  ExecProcess(options?: grpc.CallOptions): grpc.ClientDuplexStream<_moby_buildkit_v1_frontend_ExecMessage, _moby_buildkit_v1_frontend_ExecMessage__Output>;
  execProcess(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_moby_buildkit_v1_frontend_ExecMessage, _moby_buildkit_v1_frontend_ExecMessage__Output>;
  execProcess(options?: grpc.CallOptions): grpc.ClientDuplexStream<_moby_buildkit_v1_frontend_ExecMessage, _moby_buildkit_v1_frontend_ExecMessage__Output>;
  
  Inputs(argument: _moby_buildkit_v1_frontend_InputsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_InputsResponse__Output>): grpc.ClientUnaryCall;
  Inputs(argument: _moby_buildkit_v1_frontend_InputsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_InputsResponse__Output>): grpc.ClientUnaryCall;
  Inputs(argument: _moby_buildkit_v1_frontend_InputsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_InputsResponse__Output>): grpc.ClientUnaryCall;
  Inputs(argument: _moby_buildkit_v1_frontend_InputsRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_InputsResponse__Output>): grpc.ClientUnaryCall;
  inputs(argument: _moby_buildkit_v1_frontend_InputsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_InputsResponse__Output>): grpc.ClientUnaryCall;
  inputs(argument: _moby_buildkit_v1_frontend_InputsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_InputsResponse__Output>): grpc.ClientUnaryCall;
  inputs(argument: _moby_buildkit_v1_frontend_InputsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_InputsResponse__Output>): grpc.ClientUnaryCall;
  inputs(argument: _moby_buildkit_v1_frontend_InputsRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_InputsResponse__Output>): grpc.ClientUnaryCall;
  
  NewContainer(argument: _moby_buildkit_v1_frontend_NewContainerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_NewContainerResponse__Output>): grpc.ClientUnaryCall;
  NewContainer(argument: _moby_buildkit_v1_frontend_NewContainerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_NewContainerResponse__Output>): grpc.ClientUnaryCall;
  NewContainer(argument: _moby_buildkit_v1_frontend_NewContainerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_NewContainerResponse__Output>): grpc.ClientUnaryCall;
  NewContainer(argument: _moby_buildkit_v1_frontend_NewContainerRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_NewContainerResponse__Output>): grpc.ClientUnaryCall;
  newContainer(argument: _moby_buildkit_v1_frontend_NewContainerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_NewContainerResponse__Output>): grpc.ClientUnaryCall;
  newContainer(argument: _moby_buildkit_v1_frontend_NewContainerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_NewContainerResponse__Output>): grpc.ClientUnaryCall;
  newContainer(argument: _moby_buildkit_v1_frontend_NewContainerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_NewContainerResponse__Output>): grpc.ClientUnaryCall;
  newContainer(argument: _moby_buildkit_v1_frontend_NewContainerRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_NewContainerResponse__Output>): grpc.ClientUnaryCall;
  
  Ping(argument: _moby_buildkit_v1_frontend_PingRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_PongResponse__Output>): grpc.ClientUnaryCall;
  Ping(argument: _moby_buildkit_v1_frontend_PingRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_PongResponse__Output>): grpc.ClientUnaryCall;
  Ping(argument: _moby_buildkit_v1_frontend_PingRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_PongResponse__Output>): grpc.ClientUnaryCall;
  Ping(argument: _moby_buildkit_v1_frontend_PingRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_PongResponse__Output>): grpc.ClientUnaryCall;
  ping(argument: _moby_buildkit_v1_frontend_PingRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_PongResponse__Output>): grpc.ClientUnaryCall;
  ping(argument: _moby_buildkit_v1_frontend_PingRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_PongResponse__Output>): grpc.ClientUnaryCall;
  ping(argument: _moby_buildkit_v1_frontend_PingRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_PongResponse__Output>): grpc.ClientUnaryCall;
  ping(argument: _moby_buildkit_v1_frontend_PingRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_PongResponse__Output>): grpc.ClientUnaryCall;
  
  ReadDir(argument: _moby_buildkit_v1_frontend_ReadDirRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReadDirResponse__Output>): grpc.ClientUnaryCall;
  ReadDir(argument: _moby_buildkit_v1_frontend_ReadDirRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReadDirResponse__Output>): grpc.ClientUnaryCall;
  ReadDir(argument: _moby_buildkit_v1_frontend_ReadDirRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReadDirResponse__Output>): grpc.ClientUnaryCall;
  ReadDir(argument: _moby_buildkit_v1_frontend_ReadDirRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReadDirResponse__Output>): grpc.ClientUnaryCall;
  readDir(argument: _moby_buildkit_v1_frontend_ReadDirRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReadDirResponse__Output>): grpc.ClientUnaryCall;
  readDir(argument: _moby_buildkit_v1_frontend_ReadDirRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReadDirResponse__Output>): grpc.ClientUnaryCall;
  readDir(argument: _moby_buildkit_v1_frontend_ReadDirRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReadDirResponse__Output>): grpc.ClientUnaryCall;
  readDir(argument: _moby_buildkit_v1_frontend_ReadDirRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReadDirResponse__Output>): grpc.ClientUnaryCall;
  
  ReadFile(argument: _moby_buildkit_v1_frontend_ReadFileRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReadFileResponse__Output>): grpc.ClientUnaryCall;
  ReadFile(argument: _moby_buildkit_v1_frontend_ReadFileRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReadFileResponse__Output>): grpc.ClientUnaryCall;
  ReadFile(argument: _moby_buildkit_v1_frontend_ReadFileRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReadFileResponse__Output>): grpc.ClientUnaryCall;
  ReadFile(argument: _moby_buildkit_v1_frontend_ReadFileRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReadFileResponse__Output>): grpc.ClientUnaryCall;
  readFile(argument: _moby_buildkit_v1_frontend_ReadFileRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReadFileResponse__Output>): grpc.ClientUnaryCall;
  readFile(argument: _moby_buildkit_v1_frontend_ReadFileRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReadFileResponse__Output>): grpc.ClientUnaryCall;
  readFile(argument: _moby_buildkit_v1_frontend_ReadFileRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReadFileResponse__Output>): grpc.ClientUnaryCall;
  readFile(argument: _moby_buildkit_v1_frontend_ReadFileRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReadFileResponse__Output>): grpc.ClientUnaryCall;
  
  ReleaseContainer(argument: _moby_buildkit_v1_frontend_ReleaseContainerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReleaseContainerResponse__Output>): grpc.ClientUnaryCall;
  ReleaseContainer(argument: _moby_buildkit_v1_frontend_ReleaseContainerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReleaseContainerResponse__Output>): grpc.ClientUnaryCall;
  ReleaseContainer(argument: _moby_buildkit_v1_frontend_ReleaseContainerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReleaseContainerResponse__Output>): grpc.ClientUnaryCall;
  ReleaseContainer(argument: _moby_buildkit_v1_frontend_ReleaseContainerRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReleaseContainerResponse__Output>): grpc.ClientUnaryCall;
  releaseContainer(argument: _moby_buildkit_v1_frontend_ReleaseContainerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReleaseContainerResponse__Output>): grpc.ClientUnaryCall;
  releaseContainer(argument: _moby_buildkit_v1_frontend_ReleaseContainerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReleaseContainerResponse__Output>): grpc.ClientUnaryCall;
  releaseContainer(argument: _moby_buildkit_v1_frontend_ReleaseContainerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReleaseContainerResponse__Output>): grpc.ClientUnaryCall;
  releaseContainer(argument: _moby_buildkit_v1_frontend_ReleaseContainerRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReleaseContainerResponse__Output>): grpc.ClientUnaryCall;
  
  ResolveImageConfig(argument: _moby_buildkit_v1_frontend_ResolveImageConfigRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ResolveImageConfigResponse__Output>): grpc.ClientUnaryCall;
  ResolveImageConfig(argument: _moby_buildkit_v1_frontend_ResolveImageConfigRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ResolveImageConfigResponse__Output>): grpc.ClientUnaryCall;
  ResolveImageConfig(argument: _moby_buildkit_v1_frontend_ResolveImageConfigRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ResolveImageConfigResponse__Output>): grpc.ClientUnaryCall;
  ResolveImageConfig(argument: _moby_buildkit_v1_frontend_ResolveImageConfigRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ResolveImageConfigResponse__Output>): grpc.ClientUnaryCall;
  resolveImageConfig(argument: _moby_buildkit_v1_frontend_ResolveImageConfigRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ResolveImageConfigResponse__Output>): grpc.ClientUnaryCall;
  resolveImageConfig(argument: _moby_buildkit_v1_frontend_ResolveImageConfigRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ResolveImageConfigResponse__Output>): grpc.ClientUnaryCall;
  resolveImageConfig(argument: _moby_buildkit_v1_frontend_ResolveImageConfigRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ResolveImageConfigResponse__Output>): grpc.ClientUnaryCall;
  resolveImageConfig(argument: _moby_buildkit_v1_frontend_ResolveImageConfigRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ResolveImageConfigResponse__Output>): grpc.ClientUnaryCall;
  
  ResolveSourceMeta(argument: _moby_buildkit_v1_frontend_ResolveSourceMetaRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ResolveSourceMetaResponse__Output>): grpc.ClientUnaryCall;
  ResolveSourceMeta(argument: _moby_buildkit_v1_frontend_ResolveSourceMetaRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ResolveSourceMetaResponse__Output>): grpc.ClientUnaryCall;
  ResolveSourceMeta(argument: _moby_buildkit_v1_frontend_ResolveSourceMetaRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ResolveSourceMetaResponse__Output>): grpc.ClientUnaryCall;
  ResolveSourceMeta(argument: _moby_buildkit_v1_frontend_ResolveSourceMetaRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ResolveSourceMetaResponse__Output>): grpc.ClientUnaryCall;
  resolveSourceMeta(argument: _moby_buildkit_v1_frontend_ResolveSourceMetaRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ResolveSourceMetaResponse__Output>): grpc.ClientUnaryCall;
  resolveSourceMeta(argument: _moby_buildkit_v1_frontend_ResolveSourceMetaRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ResolveSourceMetaResponse__Output>): grpc.ClientUnaryCall;
  resolveSourceMeta(argument: _moby_buildkit_v1_frontend_ResolveSourceMetaRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ResolveSourceMetaResponse__Output>): grpc.ClientUnaryCall;
  resolveSourceMeta(argument: _moby_buildkit_v1_frontend_ResolveSourceMetaRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ResolveSourceMetaResponse__Output>): grpc.ClientUnaryCall;
  
  Return(argument: _moby_buildkit_v1_frontend_ReturnRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReturnResponse__Output>): grpc.ClientUnaryCall;
  Return(argument: _moby_buildkit_v1_frontend_ReturnRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReturnResponse__Output>): grpc.ClientUnaryCall;
  Return(argument: _moby_buildkit_v1_frontend_ReturnRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReturnResponse__Output>): grpc.ClientUnaryCall;
  Return(argument: _moby_buildkit_v1_frontend_ReturnRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReturnResponse__Output>): grpc.ClientUnaryCall;
  return(argument: _moby_buildkit_v1_frontend_ReturnRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReturnResponse__Output>): grpc.ClientUnaryCall;
  return(argument: _moby_buildkit_v1_frontend_ReturnRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReturnResponse__Output>): grpc.ClientUnaryCall;
  return(argument: _moby_buildkit_v1_frontend_ReturnRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReturnResponse__Output>): grpc.ClientUnaryCall;
  return(argument: _moby_buildkit_v1_frontend_ReturnRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_ReturnResponse__Output>): grpc.ClientUnaryCall;
  
  Solve(argument: _moby_buildkit_v1_frontend_SolveRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_SolveResponse__Output>): grpc.ClientUnaryCall;
  Solve(argument: _moby_buildkit_v1_frontend_SolveRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_SolveResponse__Output>): grpc.ClientUnaryCall;
  Solve(argument: _moby_buildkit_v1_frontend_SolveRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_SolveResponse__Output>): grpc.ClientUnaryCall;
  Solve(argument: _moby_buildkit_v1_frontend_SolveRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_SolveResponse__Output>): grpc.ClientUnaryCall;
  solve(argument: _moby_buildkit_v1_frontend_SolveRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_SolveResponse__Output>): grpc.ClientUnaryCall;
  solve(argument: _moby_buildkit_v1_frontend_SolveRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_SolveResponse__Output>): grpc.ClientUnaryCall;
  solve(argument: _moby_buildkit_v1_frontend_SolveRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_SolveResponse__Output>): grpc.ClientUnaryCall;
  solve(argument: _moby_buildkit_v1_frontend_SolveRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_SolveResponse__Output>): grpc.ClientUnaryCall;
  
  StatFile(argument: _moby_buildkit_v1_frontend_StatFileRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_StatFileResponse__Output>): grpc.ClientUnaryCall;
  StatFile(argument: _moby_buildkit_v1_frontend_StatFileRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_StatFileResponse__Output>): grpc.ClientUnaryCall;
  StatFile(argument: _moby_buildkit_v1_frontend_StatFileRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_StatFileResponse__Output>): grpc.ClientUnaryCall;
  StatFile(argument: _moby_buildkit_v1_frontend_StatFileRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_StatFileResponse__Output>): grpc.ClientUnaryCall;
  statFile(argument: _moby_buildkit_v1_frontend_StatFileRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_StatFileResponse__Output>): grpc.ClientUnaryCall;
  statFile(argument: _moby_buildkit_v1_frontend_StatFileRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_StatFileResponse__Output>): grpc.ClientUnaryCall;
  statFile(argument: _moby_buildkit_v1_frontend_StatFileRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_StatFileResponse__Output>): grpc.ClientUnaryCall;
  statFile(argument: _moby_buildkit_v1_frontend_StatFileRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_StatFileResponse__Output>): grpc.ClientUnaryCall;
  
  Warn(argument: _moby_buildkit_v1_frontend_WarnRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_WarnResponse__Output>): grpc.ClientUnaryCall;
  Warn(argument: _moby_buildkit_v1_frontend_WarnRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_WarnResponse__Output>): grpc.ClientUnaryCall;
  Warn(argument: _moby_buildkit_v1_frontend_WarnRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_WarnResponse__Output>): grpc.ClientUnaryCall;
  Warn(argument: _moby_buildkit_v1_frontend_WarnRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_WarnResponse__Output>): grpc.ClientUnaryCall;
  warn(argument: _moby_buildkit_v1_frontend_WarnRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_WarnResponse__Output>): grpc.ClientUnaryCall;
  warn(argument: _moby_buildkit_v1_frontend_WarnRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_WarnResponse__Output>): grpc.ClientUnaryCall;
  warn(argument: _moby_buildkit_v1_frontend_WarnRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_WarnResponse__Output>): grpc.ClientUnaryCall;
  warn(argument: _moby_buildkit_v1_frontend_WarnRequest, callback: grpc.requestCallback<_moby_buildkit_v1_frontend_WarnResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface LLBBridgeHandlers extends grpc.UntypedServiceImplementation {
  Evaluate: grpc.handleUnaryCall<_moby_buildkit_v1_frontend_EvaluateRequest__Output, _moby_buildkit_v1_frontend_EvaluateResponse>;
  
  ExecProcess: grpc.handleBidiStreamingCall<_moby_buildkit_v1_frontend_ExecMessage__Output, _moby_buildkit_v1_frontend_ExecMessage>;
  
  Inputs: grpc.handleUnaryCall<_moby_buildkit_v1_frontend_InputsRequest__Output, _moby_buildkit_v1_frontend_InputsResponse>;
  
  NewContainer: grpc.handleUnaryCall<_moby_buildkit_v1_frontend_NewContainerRequest__Output, _moby_buildkit_v1_frontend_NewContainerResponse>;
  
  Ping: grpc.handleUnaryCall<_moby_buildkit_v1_frontend_PingRequest__Output, _moby_buildkit_v1_frontend_PongResponse>;
  
  ReadDir: grpc.handleUnaryCall<_moby_buildkit_v1_frontend_ReadDirRequest__Output, _moby_buildkit_v1_frontend_ReadDirResponse>;
  
  ReadFile: grpc.handleUnaryCall<_moby_buildkit_v1_frontend_ReadFileRequest__Output, _moby_buildkit_v1_frontend_ReadFileResponse>;
  
  ReleaseContainer: grpc.handleUnaryCall<_moby_buildkit_v1_frontend_ReleaseContainerRequest__Output, _moby_buildkit_v1_frontend_ReleaseContainerResponse>;
  
  ResolveImageConfig: grpc.handleUnaryCall<_moby_buildkit_v1_frontend_ResolveImageConfigRequest__Output, _moby_buildkit_v1_frontend_ResolveImageConfigResponse>;
  
  ResolveSourceMeta: grpc.handleUnaryCall<_moby_buildkit_v1_frontend_ResolveSourceMetaRequest__Output, _moby_buildkit_v1_frontend_ResolveSourceMetaResponse>;
  
  Return: grpc.handleUnaryCall<_moby_buildkit_v1_frontend_ReturnRequest__Output, _moby_buildkit_v1_frontend_ReturnResponse>;
  
  Solve: grpc.handleUnaryCall<_moby_buildkit_v1_frontend_SolveRequest__Output, _moby_buildkit_v1_frontend_SolveResponse>;
  
  StatFile: grpc.handleUnaryCall<_moby_buildkit_v1_frontend_StatFileRequest__Output, _moby_buildkit_v1_frontend_StatFileResponse>;
  
  Warn: grpc.handleUnaryCall<_moby_buildkit_v1_frontend_WarnRequest__Output, _moby_buildkit_v1_frontend_WarnResponse>;
  
}

export interface LLBBridgeDefinition extends grpc.ServiceDefinition {
  Evaluate: MethodDefinition<_moby_buildkit_v1_frontend_EvaluateRequest, _moby_buildkit_v1_frontend_EvaluateResponse, _moby_buildkit_v1_frontend_EvaluateRequest__Output, _moby_buildkit_v1_frontend_EvaluateResponse__Output>
  ExecProcess: MethodDefinition<_moby_buildkit_v1_frontend_ExecMessage, _moby_buildkit_v1_frontend_ExecMessage, _moby_buildkit_v1_frontend_ExecMessage__Output, _moby_buildkit_v1_frontend_ExecMessage__Output>
  Inputs: MethodDefinition<_moby_buildkit_v1_frontend_InputsRequest, _moby_buildkit_v1_frontend_InputsResponse, _moby_buildkit_v1_frontend_InputsRequest__Output, _moby_buildkit_v1_frontend_InputsResponse__Output>
  NewContainer: MethodDefinition<_moby_buildkit_v1_frontend_NewContainerRequest, _moby_buildkit_v1_frontend_NewContainerResponse, _moby_buildkit_v1_frontend_NewContainerRequest__Output, _moby_buildkit_v1_frontend_NewContainerResponse__Output>
  Ping: MethodDefinition<_moby_buildkit_v1_frontend_PingRequest, _moby_buildkit_v1_frontend_PongResponse, _moby_buildkit_v1_frontend_PingRequest__Output, _moby_buildkit_v1_frontend_PongResponse__Output>
  ReadDir: MethodDefinition<_moby_buildkit_v1_frontend_ReadDirRequest, _moby_buildkit_v1_frontend_ReadDirResponse, _moby_buildkit_v1_frontend_ReadDirRequest__Output, _moby_buildkit_v1_frontend_ReadDirResponse__Output>
  ReadFile: MethodDefinition<_moby_buildkit_v1_frontend_ReadFileRequest, _moby_buildkit_v1_frontend_ReadFileResponse, _moby_buildkit_v1_frontend_ReadFileRequest__Output, _moby_buildkit_v1_frontend_ReadFileResponse__Output>
  ReleaseContainer: MethodDefinition<_moby_buildkit_v1_frontend_ReleaseContainerRequest, _moby_buildkit_v1_frontend_ReleaseContainerResponse, _moby_buildkit_v1_frontend_ReleaseContainerRequest__Output, _moby_buildkit_v1_frontend_ReleaseContainerResponse__Output>
  ResolveImageConfig: MethodDefinition<_moby_buildkit_v1_frontend_ResolveImageConfigRequest, _moby_buildkit_v1_frontend_ResolveImageConfigResponse, _moby_buildkit_v1_frontend_ResolveImageConfigRequest__Output, _moby_buildkit_v1_frontend_ResolveImageConfigResponse__Output>
  ResolveSourceMeta: MethodDefinition<_moby_buildkit_v1_frontend_ResolveSourceMetaRequest, _moby_buildkit_v1_frontend_ResolveSourceMetaResponse, _moby_buildkit_v1_frontend_ResolveSourceMetaRequest__Output, _moby_buildkit_v1_frontend_ResolveSourceMetaResponse__Output>
  Return: MethodDefinition<_moby_buildkit_v1_frontend_ReturnRequest, _moby_buildkit_v1_frontend_ReturnResponse, _moby_buildkit_v1_frontend_ReturnRequest__Output, _moby_buildkit_v1_frontend_ReturnResponse__Output>
  Solve: MethodDefinition<_moby_buildkit_v1_frontend_SolveRequest, _moby_buildkit_v1_frontend_SolveResponse, _moby_buildkit_v1_frontend_SolveRequest__Output, _moby_buildkit_v1_frontend_SolveResponse__Output>
  StatFile: MethodDefinition<_moby_buildkit_v1_frontend_StatFileRequest, _moby_buildkit_v1_frontend_StatFileResponse, _moby_buildkit_v1_frontend_StatFileRequest__Output, _moby_buildkit_v1_frontend_StatFileResponse__Output>
  Warn: MethodDefinition<_moby_buildkit_v1_frontend_WarnRequest, _moby_buildkit_v1_frontend_WarnResponse, _moby_buildkit_v1_frontend_WarnRequest__Output, _moby_buildkit_v1_frontend_WarnResponse__Output>
}
