// Original file: protos/github.com/moby/buildkit/sourcepolicy/pb/policy.proto


export interface Update {
  'identifier'?: (string);
  'attrs'?: ({[key: string]: string});
}

export interface Update__Output {
  'identifier'?: (string);
  'attrs'?: ({[key: string]: string});
}
