// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

import type { Definition as _pb_Definition, Definition__Output as _pb_Definition__Output } from '../../../../pb/Definition.js';

export interface InputsResponse {
  'Definitions'?: ({[key: string]: _pb_Definition});
}

export interface InputsResponse__Output {
  'Definitions'?: ({[key: string]: _pb_Definition__Output});
}
