// Original file: protos/github.com/moby/buildkit/sourcepolicy/pb/policy.proto

export const MatchType = {
  WILDCARD: 'WILDCARD',
  EXACT: 'EXACT',
  REGEX: 'REGEX',
} as const;

export type MatchType =
  | 'WILDCARD'
  | 0
  | 'EXACT'
  | 1
  | 'REGEX'
  | 2

export type MatchType__Output = typeof MatchType[keyof typeof MatchType]
