// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto


export interface SolveResponse {
  'ExporterResponse'?: ({[key: string]: string});
}

export interface SolveResponse__Output {
  'ExporterResponse'?: ({[key: string]: string});
}
