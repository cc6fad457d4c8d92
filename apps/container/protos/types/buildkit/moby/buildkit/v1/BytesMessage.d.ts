// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto


export interface BytesMessage {
  'data'?: (Buffer | Uint8Array | string);
}

export interface BytesMessage__Output {
  'data'?: (Buffer);
}
