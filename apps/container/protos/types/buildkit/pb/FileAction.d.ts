// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { FileActionCopy as _pb_FileActionCopy, FileActionCopy__Output as _pb_FileActionCopy__Output } from '../pb/FileActionCopy.js';
import type { FileActionMkFile as _pb_FileActionMkFile, FileActionMkFile__Output as _pb_FileActionMkFile__Output } from '../pb/FileActionMkFile.js';
import type { FileActionMkDir as _pb_FileActionMkDir, FileActionMkDir__Output as _pb_FileActionMkDir__Output } from '../pb/FileActionMkDir.js';
import type { FileActionRm as _pb_FileActionRm, FileActionRm__Output as _pb_FileActionRm__Output } from '../pb/FileActionRm.js';
import type { FileActionSymlink as _pb_FileActionSymlink, FileActionSymlink__Output as _pb_FileActionSymlink__Output } from '../pb/FileActionSymlink.js';
import type { Long } from '@grpc/proto-loader';

export interface FileAction {
  'input'?: (number | string | Long);
  'secondaryInput'?: (number | string | Long);
  'output'?: (number | string | Long);
  'copy'?: (_pb_FileActionCopy | null);
  'mkfile'?: (_pb_FileActionMkFile | null);
  'mkdir'?: (_pb_FileActionMkDir | null);
  'rm'?: (_pb_FileActionRm | null);
  'symlink'?: (_pb_FileActionSymlink | null);
  'action'?: "copy"|"mkfile"|"mkdir"|"rm"|"symlink";
}

export interface FileAction__Output {
  'input'?: (string);
  'secondaryInput'?: (string);
  'output'?: (string);
  'copy'?: (_pb_FileActionCopy__Output);
  'mkfile'?: (_pb_FileActionMkFile__Output);
  'mkdir'?: (_pb_FileActionMkDir__Output);
  'rm'?: (_pb_FileActionRm__Output);
  'symlink'?: (_pb_FileActionSymlink__Output);
}
