// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto


export interface CacheOptionsEntry {
  'Type'?: (string);
  'Attrs'?: ({[key: string]: string});
}

export interface CacheOptionsEntry__Output {
  'Type'?: (string);
  'Attrs'?: ({[key: string]: string});
}
