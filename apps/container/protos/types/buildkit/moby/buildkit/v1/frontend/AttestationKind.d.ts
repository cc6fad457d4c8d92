// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

export const AttestationKind = {
  InToto: 'InToto',
  Bundle: 'Bundle',
} as const;

export type AttestationKind =
  | 'InToto'
  | 0
  | 'Bundle'
  | 1

export type AttestationKind__Output = typeof AttestationKind[keyof typeof AttestationKind]
