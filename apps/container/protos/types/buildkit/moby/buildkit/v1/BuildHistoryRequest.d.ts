// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto


export interface BuildHistoryRequest {
  'ActiveOnly'?: (boolean);
  'Ref'?: (string);
  'EarlyExit'?: (boolean);
  'Filter'?: (string)[];
  'Limit'?: (number);
}

export interface BuildHistoryRequest__Output {
  'ActiveOnly'?: (boolean);
  'Ref'?: (string);
  'EarlyExit'?: (boolean);
  'Filter'?: (string)[];
  'Limit'?: (number);
}
