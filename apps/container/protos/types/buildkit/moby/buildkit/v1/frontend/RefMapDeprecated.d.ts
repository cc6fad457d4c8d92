// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto


export interface RefMapDeprecated {
  'refs'?: ({[key: string]: string});
}

export interface RefMapDeprecated__Output {
  'refs'?: ({[key: string]: string});
}
