// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { Meta as _pb_Meta, Meta__Output as _pb_Meta__Output } from '../pb/Meta.js';
import type { Mount as _pb_Mount, Mount__Output as _pb_Mount__Output } from '../pb/Mount.js';
import type { NetMode as _pb_NetMode, NetMode__Output as _pb_NetMode__Output } from '../pb/NetMode.js';
import type { SecurityMode as _pb_SecurityMode, SecurityMode__Output as _pb_SecurityMode__Output } from '../pb/SecurityMode.js';
import type { SecretEnv as _pb_SecretEnv, SecretEnv__Output as _pb_SecretEnv__Output } from '../pb/SecretEnv.js';
import type { CDIDevice as _pb_CDIDevice, CDIDevice__Output as _pb_CDIDevice__Output } from '../pb/CDIDevice.js';

export interface ExecOp {
  'meta'?: (_pb_Meta | null);
  'mounts'?: (_pb_Mount)[];
  'network'?: (_pb_NetMode);
  'security'?: (_pb_SecurityMode);
  'secretenv'?: (_pb_SecretEnv)[];
  'cdiDevices'?: (_pb_CDIDevice)[];
}

export interface ExecOp__Output {
  'meta'?: (_pb_Meta__Output);
  'mounts'?: (_pb_Mount__Output)[];
  'network'?: (_pb_NetMode__Output);
  'security'?: (_pb_SecurityMode__Output);
  'secretenv'?: (_pb_SecretEnv__Output)[];
  'cdiDevices'?: (_pb_CDIDevice__Output)[];
}
