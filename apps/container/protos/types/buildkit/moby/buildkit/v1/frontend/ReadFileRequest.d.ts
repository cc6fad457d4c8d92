// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

import type { FileRange as _moby_buildkit_v1_frontend_FileRange, FileRange__Output as _moby_buildkit_v1_frontend_FileRange__Output } from '../../../../moby/buildkit/v1/frontend/FileRange.js';

export interface ReadFileRequest {
  'Ref'?: (string);
  'FilePath'?: (string);
  'Range'?: (_moby_buildkit_v1_frontend_FileRange | null);
}

export interface ReadFileRequest__Output {
  'Ref'?: (string);
  'FilePath'?: (string);
  'Range'?: (_moby_buildkit_v1_frontend_FileRange__Output);
}
