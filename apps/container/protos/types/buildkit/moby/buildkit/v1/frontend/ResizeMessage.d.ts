// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto


export interface ResizeMessage {
  'Rows'?: (number);
  'Cols'?: (number);
}

export interface ResizeMessage__Output {
  'Rows'?: (number);
  'Cols'?: (number);
}
