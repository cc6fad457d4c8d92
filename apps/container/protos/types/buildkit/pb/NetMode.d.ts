// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

export const NetMode = {
  UNSET: 'UNSET',
  HOST: 'HOST',
  NONE: 'NONE',
} as const;

export type NetMode =
  | 'UNSET'
  | 0
  | 'HOST'
  | 1
  | 'NONE'
  | 2

export type NetMode__Output = typeof NetMode[keyof typeof NetMode]
