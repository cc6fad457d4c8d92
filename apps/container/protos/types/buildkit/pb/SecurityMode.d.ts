// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

export const SecurityMode = {
  SANDBOX: 'SANDBOX',
  INSECURE: 'INSECURE',
} as const;

export type SecurityMode =
  | 'SANDBOX'
  | 0
  | 'INSECURE'
  | 1

export type SecurityMode__Output = typeof SecurityMode[keyof typeof SecurityMode]
