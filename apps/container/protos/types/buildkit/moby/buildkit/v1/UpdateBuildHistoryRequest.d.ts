// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto


export interface UpdateBuildHistoryRequest {
  'Ref'?: (string);
  'Pinned'?: (boolean);
  'Delete'?: (boolean);
  'Finalize'?: (boolean);
}

export interface UpdateBuildHistoryRequest__Output {
  'Ref'?: (string);
  'Pinned'?: (boolean);
  'Delete'?: (boolean);
  'Finalize'?: (boolean);
}
