// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto


export interface ProxyEnv {
  'httpProxy'?: (string);
  'httpsProxy'?: (string);
  'ftpProxy'?: (string);
  'noProxy'?: (string);
  'allProxy'?: (string);
}

export interface ProxyEnv__Output {
  'httpProxy'?: (string);
  'httpsProxy'?: (string);
  'ftpProxy'?: (string);
  'noProxy'?: (string);
  'allProxy'?: (string);
}
