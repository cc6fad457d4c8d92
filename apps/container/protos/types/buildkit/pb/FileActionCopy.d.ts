// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { ChownOpt as _pb_ChownOpt, ChownOpt__Output as _pb_ChownOpt__Output } from '../pb/ChownOpt.js';
import type { Long } from '@grpc/proto-loader';

export interface FileActionCopy {
  'src'?: (string);
  'dest'?: (string);
  'owner'?: (_pb_ChownOpt | null);
  'mode'?: (number);
  'followSymlink'?: (boolean);
  'dirCopyContents'?: (boolean);
  'attemptUnpackDockerCompatibility'?: (boolean);
  'createDestPath'?: (boolean);
  'allowWildcard'?: (boolean);
  'allowEmptyWildcard'?: (boolean);
  'timestamp'?: (number | string | Long);
  'includePatterns'?: (string)[];
  'excludePatterns'?: (string)[];
  'alwaysReplaceExistingDestPaths'?: (boolean);
  'modeStr'?: (string);
}

export interface FileActionCopy__Output {
  'src'?: (string);
  'dest'?: (string);
  'owner'?: (_pb_ChownOpt__Output);
  'mode'?: (number);
  'followSymlink'?: (boolean);
  'dirCopyContents'?: (boolean);
  'attemptUnpackDockerCompatibility'?: (boolean);
  'createDestPath'?: (boolean);
  'allowWildcard'?: (boolean);
  'allowEmptyWildcard'?: (boolean);
  'timestamp'?: (string);
  'includePatterns'?: (string)[];
  'excludePatterns'?: (string)[];
  'alwaysReplaceExistingDestPaths'?: (boolean);
  'modeStr'?: (string);
}
