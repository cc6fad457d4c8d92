// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { FileAction as _pb_FileAction, FileAction__Output as _pb_FileAction__Output } from '../pb/FileAction.js';

export interface FileOp {
  'actions'?: (_pb_FileAction)[];
}

export interface FileOp__Output {
  'actions'?: (_pb_FileAction__Output)[];
}
