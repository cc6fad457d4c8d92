// Original file: protos/github.com/containerd/containerd/api/services/diff/v1/diff.proto

import type { Descriptor as _containerd_types_Descriptor, Descriptor__Output as _containerd_types_Descriptor__Output } from '../../../../containerd/types/Descriptor.js';

export interface ApplyResponse {
  'applied'?: (_containerd_types_Descriptor | null);
}

export interface ApplyResponse__Output {
  'applied': (_containerd_types_Descriptor__Output | null);
}
