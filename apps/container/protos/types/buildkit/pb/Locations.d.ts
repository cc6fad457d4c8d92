// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { Location as _pb_Location, Location__Output as _pb_Location__Output } from '../pb/Location.js';

export interface Locations {
  'locations'?: (_pb_Location)[];
}

export interface Locations__Output {
  'locations'?: (_pb_Location__Output)[];
}
