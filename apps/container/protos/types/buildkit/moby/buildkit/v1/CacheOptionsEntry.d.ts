// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto


export interface CacheOptionsEntry {
  'Type'?: (string);
  'Attrs'?: ({[key: string]: string});
}

export interface CacheOptionsEntry__Output {
  'Type'?: (string);
  'Attrs'?: ({[key: string]: string});
}
