// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { ProxyEnv as _pb_ProxyEnv, ProxyEnv__Output as _pb_ProxyEnv__Output } from '../pb/ProxyEnv.js';
import type { HostIP as _pb_HostIP, HostIP__Output as _pb_HostIP__Output } from '../pb/HostIP.js';
import type { Ulimit as _pb_Ulimit, Ulimit__Output as _pb_Ulimit__Output } from '../pb/Ulimit.js';

export interface Meta {
  'args'?: (string)[];
  'env'?: (string)[];
  'cwd'?: (string);
  'user'?: (string);
  'proxyEnv'?: (_pb_ProxyEnv | null);
  'extraHosts'?: (_pb_HostIP)[];
  'hostname'?: (string);
  'ulimit'?: (_pb_Ulimit)[];
  'cgroupParent'?: (string);
  'removeMountStubsRecursive'?: (boolean);
  'validExitCodes'?: (number)[];
}

export interface Meta__Output {
  'args'?: (string)[];
  'env'?: (string)[];
  'cwd'?: (string);
  'user'?: (string);
  'proxyEnv'?: (_pb_ProxyEnv__Output);
  'extraHosts'?: (_pb_HostIP__Output)[];
  'hostname'?: (string);
  'ulimit'?: (_pb_Ulimit__Output)[];
  'cgroupParent'?: (string);
  'removeMountStubsRecursive'?: (boolean);
  'validExitCodes'?: (number)[];
}
