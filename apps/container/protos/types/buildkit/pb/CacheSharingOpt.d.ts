// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

export const CacheSharingOpt = {
  SHARED: 'SHARED',
  PRIVATE: 'PRIVATE',
  LOCKED: 'LOCKED',
} as const;

export type CacheSharingOpt =
  | 'SHARED'
  | 0
  | 'PRIVATE'
  | 1
  | 'LOCKED'
  | 2

export type CacheSharingOpt__Output = typeof CacheSharingOpt[keyof typeof CacheSharingOpt]
