// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto


export interface ReadDirRequest {
  'Ref'?: (string);
  'DirPath'?: (string);
  'IncludePattern'?: (string);
}

export interface ReadDirRequest__Output {
  'Ref'?: (string);
  'DirPath'?: (string);
  'IncludePattern'?: (string);
}
