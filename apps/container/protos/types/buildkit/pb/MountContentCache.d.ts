// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

export const MountContentCache = {
  DEFAULT: 'DEFAULT',
  ON: 'ON',
  OFF: 'OFF',
} as const;

export type MountContentCache =
  | 'DEFAULT'
  | 0
  | 'ON'
  | 1
  | 'OFF'
  | 2

export type MountContentCache__Output = typeof MountContentCache[keyof typeof MountContentCache]
