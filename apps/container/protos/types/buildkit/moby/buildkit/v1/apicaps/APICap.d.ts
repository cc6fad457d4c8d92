// Original file: protos/github.com/moby/buildkit/util/apicaps/pb/caps.proto


export interface APICap {
  'ID'?: (string);
  'Enabled'?: (boolean);
  'Deprecated'?: (boolean);
  'DisabledReason'?: (string);
  'DisabledReasonMsg'?: (string);
  'DisabledAlternative'?: (string);
}

export interface APICap__Output {
  'ID'?: (string);
  'Enabled'?: (boolean);
  'Deprecated'?: (boolean);
  'DisabledReason'?: (string);
  'DisabledReasonMsg'?: (string);
  'DisabledAlternative'?: (string);
}
