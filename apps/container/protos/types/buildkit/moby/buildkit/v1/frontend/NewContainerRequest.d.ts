// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

import type { Mount as _pb_Mount, Mount__Output as _pb_Mount__Output } from '../../../../pb/Mount.js';
import type { NetMode as _pb_NetMode, NetMode__Output as _pb_NetMode__Output } from '../../../../pb/NetMode.js';
import type { Platform as _pb_Platform, Platform__Output as _pb_Platform__Output } from '../../../../pb/Platform.js';
import type { WorkerConstraints as _pb_WorkerConstraints, WorkerConstraints__Output as _pb_WorkerConstraints__Output } from '../../../../pb/WorkerConstraints.js';
import type { HostIP as _pb_HostIP, HostIP__Output as _pb_HostIP__Output } from '../../../../pb/HostIP.js';

export interface NewContainerRequest {
  'ContainerID'?: (string);
  'Mounts'?: (_pb_Mount)[];
  'Network'?: (_pb_NetMode);
  'platform'?: (_pb_Platform | null);
  'constraints'?: (_pb_WorkerConstraints | null);
  'extraHosts'?: (_pb_HostIP)[];
  'hostname'?: (string);
}

export interface NewContainerRequest__Output {
  'ContainerID'?: (string);
  'Mounts'?: (_pb_Mount__Output)[];
  'Network'?: (_pb_NetMode__Output);
  'platform'?: (_pb_Platform__Output);
  'constraints'?: (_pb_WorkerConstraints__Output);
  'extraHosts'?: (_pb_HostIP__Output)[];
  'hostname'?: (string);
}
