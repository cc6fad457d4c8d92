// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

import type { Meta as _pb_Meta, Meta__Output as _pb_Meta__Output } from '../../../../pb/Meta.js';
import type { SecurityMode as _pb_SecurityMode, SecurityMode__Output as _pb_SecurityMode__Output } from '../../../../pb/SecurityMode.js';
import type { SecretEnv as _pb_SecretEnv, SecretEnv__Output as _pb_SecretEnv__Output } from '../../../../pb/SecretEnv.js';

export interface InitMessage {
  'ContainerID'?: (string);
  'Meta'?: (_pb_Meta | null);
  'Fds'?: (number)[];
  'Tty'?: (boolean);
  'Security'?: (_pb_SecurityMode);
  'secretenv'?: (_pb_SecretEnv)[];
}

export interface InitMessage__Output {
  'ContainerID'?: (string);
  'Meta'?: (_pb_Meta__Output);
  'Fds'?: (number)[];
  'Tty'?: (boolean);
  'Security'?: (_pb_SecurityMode__Output);
  'secretenv'?: (_pb_SecretEnv__Output)[];
}
