// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

export const MountType = {
  BIND: 'BIND',
  SECRET: 'SECRET',
  SSH: 'SSH',
  CACHE: 'CACHE',
  TMPFS: 'TMPFS',
} as const;

export type MountType =
  | 'BIND'
  | 0
  | 'SECRET'
  | 1
  | 'SSH'
  | 2
  | 'CACHE'
  | 3
  | 'TMPFS'
  | 4

export type MountType__Output = typeof MountType[keyof typeof MountType]
