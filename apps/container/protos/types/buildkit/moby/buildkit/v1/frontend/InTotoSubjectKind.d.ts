// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

export const InTotoSubjectKind = {
  Self: 'Self',
  Raw: 'Raw',
} as const;

export type InTotoSubjectKind =
  | 'Self'
  | 0
  | 'Raw'
  | 1

export type InTotoSubjectKind__Output = typeof InTotoSubjectKind[keyof typeof InTotoSubjectKind]
