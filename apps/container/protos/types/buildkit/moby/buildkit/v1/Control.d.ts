// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { BuildHistoryEvent as _moby_buildkit_v1_BuildHistoryEvent, BuildHistoryEvent__Output as _moby_buildkit_v1_BuildHistoryEvent__Output } from '../../../moby/buildkit/v1/BuildHistoryEvent.js';
import type { BuildHistoryRequest as _moby_buildkit_v1_BuildHistoryRequest, BuildHistoryRequest__Output as _moby_buildkit_v1_BuildHistoryRequest__Output } from '../../../moby/buildkit/v1/BuildHistoryRequest.js';
import type { BytesMessage as _moby_buildkit_v1_BytesMessage, BytesMessage__Output as _moby_buildkit_v1_BytesMessage__Output } from '../../../moby/buildkit/v1/BytesMessage.js';
import type { DiskUsageRequest as _moby_buildkit_v1_DiskUsageRequest, DiskUsageRequest__Output as _moby_buildkit_v1_DiskUsageRequest__Output } from '../../../moby/buildkit/v1/DiskUsageRequest.js';
import type { DiskUsageResponse as _moby_buildkit_v1_DiskUsageResponse, DiskUsageResponse__Output as _moby_buildkit_v1_DiskUsageResponse__Output } from '../../../moby/buildkit/v1/DiskUsageResponse.js';
import type { InfoRequest as _moby_buildkit_v1_InfoRequest, InfoRequest__Output as _moby_buildkit_v1_InfoRequest__Output } from '../../../moby/buildkit/v1/InfoRequest.js';
import type { InfoResponse as _moby_buildkit_v1_InfoResponse, InfoResponse__Output as _moby_buildkit_v1_InfoResponse__Output } from '../../../moby/buildkit/v1/InfoResponse.js';
import type { ListWorkersRequest as _moby_buildkit_v1_ListWorkersRequest, ListWorkersRequest__Output as _moby_buildkit_v1_ListWorkersRequest__Output } from '../../../moby/buildkit/v1/ListWorkersRequest.js';
import type { ListWorkersResponse as _moby_buildkit_v1_ListWorkersResponse, ListWorkersResponse__Output as _moby_buildkit_v1_ListWorkersResponse__Output } from '../../../moby/buildkit/v1/ListWorkersResponse.js';
import type { PruneRequest as _moby_buildkit_v1_PruneRequest, PruneRequest__Output as _moby_buildkit_v1_PruneRequest__Output } from '../../../moby/buildkit/v1/PruneRequest.js';
import type { SolveRequest as _moby_buildkit_v1_SolveRequest, SolveRequest__Output as _moby_buildkit_v1_SolveRequest__Output } from '../../../moby/buildkit/v1/SolveRequest.js';
import type { SolveResponse as _moby_buildkit_v1_SolveResponse, SolveResponse__Output as _moby_buildkit_v1_SolveResponse__Output } from '../../../moby/buildkit/v1/SolveResponse.js';
import type { StatusRequest as _moby_buildkit_v1_StatusRequest, StatusRequest__Output as _moby_buildkit_v1_StatusRequest__Output } from '../../../moby/buildkit/v1/StatusRequest.js';
import type { StatusResponse as _moby_buildkit_v1_StatusResponse, StatusResponse__Output as _moby_buildkit_v1_StatusResponse__Output } from '../../../moby/buildkit/v1/StatusResponse.js';
import type { UpdateBuildHistoryRequest as _moby_buildkit_v1_UpdateBuildHistoryRequest, UpdateBuildHistoryRequest__Output as _moby_buildkit_v1_UpdateBuildHistoryRequest__Output } from '../../../moby/buildkit/v1/UpdateBuildHistoryRequest.js';
import type { UpdateBuildHistoryResponse as _moby_buildkit_v1_UpdateBuildHistoryResponse, UpdateBuildHistoryResponse__Output as _moby_buildkit_v1_UpdateBuildHistoryResponse__Output } from '../../../moby/buildkit/v1/UpdateBuildHistoryResponse.js';
import type { UsageRecord as _moby_buildkit_v1_UsageRecord, UsageRecord__Output as _moby_buildkit_v1_UsageRecord__Output } from '../../../moby/buildkit/v1/UsageRecord.js';

export interface ControlClient extends grpc.Client {
  DiskUsage(argument: _moby_buildkit_v1_DiskUsageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_DiskUsageResponse__Output>): grpc.ClientUnaryCall;
  DiskUsage(argument: _moby_buildkit_v1_DiskUsageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_DiskUsageResponse__Output>): grpc.ClientUnaryCall;
  DiskUsage(argument: _moby_buildkit_v1_DiskUsageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_DiskUsageResponse__Output>): grpc.ClientUnaryCall;
  DiskUsage(argument: _moby_buildkit_v1_DiskUsageRequest, callback: grpc.requestCallback<_moby_buildkit_v1_DiskUsageResponse__Output>): grpc.ClientUnaryCall;
  diskUsage(argument: _moby_buildkit_v1_DiskUsageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_DiskUsageResponse__Output>): grpc.ClientUnaryCall;
  diskUsage(argument: _moby_buildkit_v1_DiskUsageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_DiskUsageResponse__Output>): grpc.ClientUnaryCall;
  diskUsage(argument: _moby_buildkit_v1_DiskUsageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_DiskUsageResponse__Output>): grpc.ClientUnaryCall;
  diskUsage(argument: _moby_buildkit_v1_DiskUsageRequest, callback: grpc.requestCallback<_moby_buildkit_v1_DiskUsageResponse__Output>): grpc.ClientUnaryCall;
  
  Info(argument: _moby_buildkit_v1_InfoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_InfoResponse__Output>): grpc.ClientUnaryCall;
  Info(argument: _moby_buildkit_v1_InfoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_InfoResponse__Output>): grpc.ClientUnaryCall;
  Info(argument: _moby_buildkit_v1_InfoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_InfoResponse__Output>): grpc.ClientUnaryCall;
  Info(argument: _moby_buildkit_v1_InfoRequest, callback: grpc.requestCallback<_moby_buildkit_v1_InfoResponse__Output>): grpc.ClientUnaryCall;
  info(argument: _moby_buildkit_v1_InfoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_InfoResponse__Output>): grpc.ClientUnaryCall;
  info(argument: _moby_buildkit_v1_InfoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_InfoResponse__Output>): grpc.ClientUnaryCall;
  info(argument: _moby_buildkit_v1_InfoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_InfoResponse__Output>): grpc.ClientUnaryCall;
  info(argument: _moby_buildkit_v1_InfoRequest, callback: grpc.requestCallback<_moby_buildkit_v1_InfoResponse__Output>): grpc.ClientUnaryCall;
  
  ListWorkers(argument: _moby_buildkit_v1_ListWorkersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_ListWorkersResponse__Output>): grpc.ClientUnaryCall;
  ListWorkers(argument: _moby_buildkit_v1_ListWorkersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_ListWorkersResponse__Output>): grpc.ClientUnaryCall;
  ListWorkers(argument: _moby_buildkit_v1_ListWorkersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_ListWorkersResponse__Output>): grpc.ClientUnaryCall;
  ListWorkers(argument: _moby_buildkit_v1_ListWorkersRequest, callback: grpc.requestCallback<_moby_buildkit_v1_ListWorkersResponse__Output>): grpc.ClientUnaryCall;
  listWorkers(argument: _moby_buildkit_v1_ListWorkersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_ListWorkersResponse__Output>): grpc.ClientUnaryCall;
  listWorkers(argument: _moby_buildkit_v1_ListWorkersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_ListWorkersResponse__Output>): grpc.ClientUnaryCall;
  listWorkers(argument: _moby_buildkit_v1_ListWorkersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_ListWorkersResponse__Output>): grpc.ClientUnaryCall;
  listWorkers(argument: _moby_buildkit_v1_ListWorkersRequest, callback: grpc.requestCallback<_moby_buildkit_v1_ListWorkersResponse__Output>): grpc.ClientUnaryCall;
  
  ListenBuildHistory(argument: _moby_buildkit_v1_BuildHistoryRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_moby_buildkit_v1_BuildHistoryEvent__Output>;
  ListenBuildHistory(argument: _moby_buildkit_v1_BuildHistoryRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_moby_buildkit_v1_BuildHistoryEvent__Output>;
  listenBuildHistory(argument: _moby_buildkit_v1_BuildHistoryRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_moby_buildkit_v1_BuildHistoryEvent__Output>;
  listenBuildHistory(argument: _moby_buildkit_v1_BuildHistoryRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_moby_buildkit_v1_BuildHistoryEvent__Output>;
  
  Prune(argument: _moby_buildkit_v1_PruneRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_moby_buildkit_v1_UsageRecord__Output>;
  Prune(argument: _moby_buildkit_v1_PruneRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_moby_buildkit_v1_UsageRecord__Output>;
  prune(argument: _moby_buildkit_v1_PruneRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_moby_buildkit_v1_UsageRecord__Output>;
  prune(argument: _moby_buildkit_v1_PruneRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_moby_buildkit_v1_UsageRecord__Output>;
  
  Session(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_moby_buildkit_v1_BytesMessage, _moby_buildkit_v1_BytesMessage__Output>;
  Session(options?: grpc.CallOptions): grpc.ClientDuplexStream<_moby_buildkit_v1_BytesMessage, _moby_buildkit_v1_BytesMessage__Output>;
  session(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_moby_buildkit_v1_BytesMessage, _moby_buildkit_v1_BytesMessage__Output>;
  session(options?: grpc.CallOptions): grpc.ClientDuplexStream<_moby_buildkit_v1_BytesMessage, _moby_buildkit_v1_BytesMessage__Output>;
  
  Solve(argument: _moby_buildkit_v1_SolveRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_SolveResponse__Output>): grpc.ClientUnaryCall;
  Solve(argument: _moby_buildkit_v1_SolveRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_SolveResponse__Output>): grpc.ClientUnaryCall;
  Solve(argument: _moby_buildkit_v1_SolveRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_SolveResponse__Output>): grpc.ClientUnaryCall;
  Solve(argument: _moby_buildkit_v1_SolveRequest, callback: grpc.requestCallback<_moby_buildkit_v1_SolveResponse__Output>): grpc.ClientUnaryCall;
  solve(argument: _moby_buildkit_v1_SolveRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_SolveResponse__Output>): grpc.ClientUnaryCall;
  solve(argument: _moby_buildkit_v1_SolveRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_SolveResponse__Output>): grpc.ClientUnaryCall;
  solve(argument: _moby_buildkit_v1_SolveRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_SolveResponse__Output>): grpc.ClientUnaryCall;
  solve(argument: _moby_buildkit_v1_SolveRequest, callback: grpc.requestCallback<_moby_buildkit_v1_SolveResponse__Output>): grpc.ClientUnaryCall;
  
  Status(argument: _moby_buildkit_v1_StatusRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_moby_buildkit_v1_StatusResponse__Output>;
  Status(argument: _moby_buildkit_v1_StatusRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_moby_buildkit_v1_StatusResponse__Output>;
  status(argument: _moby_buildkit_v1_StatusRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_moby_buildkit_v1_StatusResponse__Output>;
  status(argument: _moby_buildkit_v1_StatusRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_moby_buildkit_v1_StatusResponse__Output>;
  
  UpdateBuildHistory(argument: _moby_buildkit_v1_UpdateBuildHistoryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_UpdateBuildHistoryResponse__Output>): grpc.ClientUnaryCall;
  UpdateBuildHistory(argument: _moby_buildkit_v1_UpdateBuildHistoryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_UpdateBuildHistoryResponse__Output>): grpc.ClientUnaryCall;
  UpdateBuildHistory(argument: _moby_buildkit_v1_UpdateBuildHistoryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_UpdateBuildHistoryResponse__Output>): grpc.ClientUnaryCall;
  UpdateBuildHistory(argument: _moby_buildkit_v1_UpdateBuildHistoryRequest, callback: grpc.requestCallback<_moby_buildkit_v1_UpdateBuildHistoryResponse__Output>): grpc.ClientUnaryCall;
  updateBuildHistory(argument: _moby_buildkit_v1_UpdateBuildHistoryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_UpdateBuildHistoryResponse__Output>): grpc.ClientUnaryCall;
  updateBuildHistory(argument: _moby_buildkit_v1_UpdateBuildHistoryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_moby_buildkit_v1_UpdateBuildHistoryResponse__Output>): grpc.ClientUnaryCall;
  updateBuildHistory(argument: _moby_buildkit_v1_UpdateBuildHistoryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_moby_buildkit_v1_UpdateBuildHistoryResponse__Output>): grpc.ClientUnaryCall;
  updateBuildHistory(argument: _moby_buildkit_v1_UpdateBuildHistoryRequest, callback: grpc.requestCallback<_moby_buildkit_v1_UpdateBuildHistoryResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface ControlHandlers extends grpc.UntypedServiceImplementation {
  DiskUsage: grpc.handleUnaryCall<_moby_buildkit_v1_DiskUsageRequest__Output, _moby_buildkit_v1_DiskUsageResponse>;
  
  Info: grpc.handleUnaryCall<_moby_buildkit_v1_InfoRequest__Output, _moby_buildkit_v1_InfoResponse>;
  
  ListWorkers: grpc.handleUnaryCall<_moby_buildkit_v1_ListWorkersRequest__Output, _moby_buildkit_v1_ListWorkersResponse>;
  
  ListenBuildHistory: grpc.handleServerStreamingCall<_moby_buildkit_v1_BuildHistoryRequest__Output, _moby_buildkit_v1_BuildHistoryEvent>;
  
  Prune: grpc.handleServerStreamingCall<_moby_buildkit_v1_PruneRequest__Output, _moby_buildkit_v1_UsageRecord>;
  
  Session: grpc.handleBidiStreamingCall<_moby_buildkit_v1_BytesMessage__Output, _moby_buildkit_v1_BytesMessage>;
  
  Solve: grpc.handleUnaryCall<_moby_buildkit_v1_SolveRequest__Output, _moby_buildkit_v1_SolveResponse>;
  
  Status: grpc.handleServerStreamingCall<_moby_buildkit_v1_StatusRequest__Output, _moby_buildkit_v1_StatusResponse>;
  
  UpdateBuildHistory: grpc.handleUnaryCall<_moby_buildkit_v1_UpdateBuildHistoryRequest__Output, _moby_buildkit_v1_UpdateBuildHistoryResponse>;
  
}

export interface ControlDefinition extends grpc.ServiceDefinition {
  DiskUsage: MethodDefinition<_moby_buildkit_v1_DiskUsageRequest, _moby_buildkit_v1_DiskUsageResponse, _moby_buildkit_v1_DiskUsageRequest__Output, _moby_buildkit_v1_DiskUsageResponse__Output>
  Info: MethodDefinition<_moby_buildkit_v1_InfoRequest, _moby_buildkit_v1_InfoResponse, _moby_buildkit_v1_InfoRequest__Output, _moby_buildkit_v1_InfoResponse__Output>
  ListWorkers: MethodDefinition<_moby_buildkit_v1_ListWorkersRequest, _moby_buildkit_v1_ListWorkersResponse, _moby_buildkit_v1_ListWorkersRequest__Output, _moby_buildkit_v1_ListWorkersResponse__Output>
  ListenBuildHistory: MethodDefinition<_moby_buildkit_v1_BuildHistoryRequest, _moby_buildkit_v1_BuildHistoryEvent, _moby_buildkit_v1_BuildHistoryRequest__Output, _moby_buildkit_v1_BuildHistoryEvent__Output>
  Prune: MethodDefinition<_moby_buildkit_v1_PruneRequest, _moby_buildkit_v1_UsageRecord, _moby_buildkit_v1_PruneRequest__Output, _moby_buildkit_v1_UsageRecord__Output>
  Session: MethodDefinition<_moby_buildkit_v1_BytesMessage, _moby_buildkit_v1_BytesMessage, _moby_buildkit_v1_BytesMessage__Output, _moby_buildkit_v1_BytesMessage__Output>
  Solve: MethodDefinition<_moby_buildkit_v1_SolveRequest, _moby_buildkit_v1_SolveResponse, _moby_buildkit_v1_SolveRequest__Output, _moby_buildkit_v1_SolveResponse__Output>
  Status: MethodDefinition<_moby_buildkit_v1_StatusRequest, _moby_buildkit_v1_StatusResponse, _moby_buildkit_v1_StatusRequest__Output, _moby_buildkit_v1_StatusResponse__Output>
  UpdateBuildHistory: MethodDefinition<_moby_buildkit_v1_UpdateBuildHistoryRequest, _moby_buildkit_v1_UpdateBuildHistoryResponse, _moby_buildkit_v1_UpdateBuildHistoryRequest__Output, _moby_buildkit_v1_UpdateBuildHistoryResponse__Output>
}
