// Original file: protos/github.com/moby/buildkit/api/types/worker.proto


export interface CDIDevice {
  'Name'?: (string);
  'AutoAllow'?: (boolean);
  'Annotations'?: ({[key: string]: string});
  'OnDemand'?: (boolean);
}

export interface CDIDevice__Output {
  'Name'?: (string);
  'AutoAllow'?: (boolean);
  'Annotations'?: ({[key: string]: string});
  'OnDemand'?: (boolean);
}
