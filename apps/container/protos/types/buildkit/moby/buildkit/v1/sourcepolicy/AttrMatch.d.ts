// Original file: protos/github.com/moby/buildkit/sourcepolicy/pb/policy.proto

export const AttrMatch = {
  EQUAL: 'EQUAL',
  NOTEQUAL: 'NOTEQUAL',
  MATCHES: 'MATCHES',
} as const;

export type AttrMatch =
  | 'EQUAL'
  | 0
  | 'NOTEQUAL'
  | 1
  | 'MATCHES'
  | 2

export type AttrMatch__Output = typeof AttrMatch[keyof typeof AttrMatch]
