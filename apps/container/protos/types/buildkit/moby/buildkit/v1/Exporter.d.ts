// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto


export interface Exporter {
  'Type'?: (string);
  'Attrs'?: ({[key: string]: string});
}

export interface Exporter__Output {
  'Type'?: (string);
  'Attrs'?: ({[key: string]: string});
}
