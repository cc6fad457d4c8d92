// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto

import type { Descriptor as _moby_buildkit_v1_Descriptor, Descriptor__Output as _moby_buildkit_v1_Descriptor__Output } from '../../../moby/buildkit/v1/Descriptor.js';

export interface BuildResultInfo {
  'ResultDeprecated'?: (_moby_buildkit_v1_Descriptor | null);
  'Attestations'?: (_moby_buildkit_v1_Descriptor)[];
  'Results'?: ({[key: number]: _moby_buildkit_v1_Descriptor});
}

export interface BuildResultInfo__Output {
  'ResultDeprecated'?: (_moby_buildkit_v1_Descriptor__Output);
  'Attestations'?: (_moby_buildkit_v1_Descriptor__Output)[];
  'Results'?: ({[key: number]: _moby_buildkit_v1_Descriptor__Output});
}
