// Original file: protos/github.com/moby/buildkit/sourcepolicy/pb/policy.proto

export const PolicyAction = {
  ALLOW: 'ALLOW',
  DENY: 'DENY',
  CONVERT: 'CONVERT',
} as const;

export type PolicyAction =
  | 'ALLOW'
  | 0
  | 'DENY'
  | 1
  | 'CONVERT'
  | 2

export type PolicyAction__Output = typeof PolicyAction[keyof typeof PolicyAction]
