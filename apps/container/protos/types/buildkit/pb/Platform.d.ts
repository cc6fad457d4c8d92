// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto


export interface Platform {
  'Architecture'?: (string);
  'OS'?: (string);
  'Variant'?: (string);
  'OSVersion'?: (string);
  'OSFeatures'?: (string)[];
}

export interface Platform__Output {
  'Architecture'?: (string);
  'OS'?: (string);
  'Variant'?: (string);
  'OSVersion'?: (string);
  'OSFeatures'?: (string)[];
}
