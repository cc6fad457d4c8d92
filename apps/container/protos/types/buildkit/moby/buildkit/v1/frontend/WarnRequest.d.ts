// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

import type { SourceInfo as _pb_SourceInfo, SourceInfo__Output as _pb_SourceInfo__Output } from '../../../../pb/SourceInfo.js';
import type { Range as _pb_Range, Range__Output as _pb_Range__Output } from '../../../../pb/Range.js';
import type { Long } from '@grpc/proto-loader';

export interface WarnRequest {
  'digest'?: (string);
  'level'?: (number | string | Long);
  'short'?: (Buffer | Uint8Array | string);
  'detail'?: (Buffer | Uint8Array | string)[];
  'url'?: (string);
  'info'?: (_pb_SourceInfo | null);
  'ranges'?: (_pb_Range)[];
}

export interface WarnRequest__Output {
  'digest'?: (string);
  'level'?: (string);
  'short'?: (Buffer);
  'detail'?: (Buffer)[];
  'url'?: (string);
  'info'?: (_pb_SourceInfo__Output);
  'ranges'?: (_pb_Range__Output)[];
}
