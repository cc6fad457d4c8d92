// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto


export interface FdMessage {
  'Fd'?: (number);
  'EOF'?: (boolean);
  'Data'?: (Buffer | Uint8Array | string);
}

export interface FdMessage__Output {
  'Fd'?: (number);
  'EOF'?: (boolean);
  'Data'?: (Buffer);
}
