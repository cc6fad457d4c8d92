// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

import type { Definition as _pb_Definition, Definition__Output as _pb_Definition__Output } from '../../../../pb/Definition.js';

export interface Ref {
  'id'?: (string);
  'def'?: (_pb_Definition | null);
}

export interface Ref__Output {
  'id'?: (string);
  'def'?: (_pb_Definition__Output);
}
