// Original file: protos/github.com/moby/buildkit/api/types/worker.proto


export interface BuildkitVersion {
  'package'?: (string);
  'version'?: (string);
  'revision'?: (string);
}

export interface BuildkitVersion__Output {
  'package'?: (string);
  'version'?: (string);
  'revision'?: (string);
}
