// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto

export const BuildHistoryEventType = {
  STARTED: 'STARTED',
  COMPLETE: 'COMPLETE',
  DELETED: 'DELETED',
} as const;

export type BuildHistoryEventType =
  | 'STARTED'
  | 0
  | 'COMPLETE'
  | 1
  | 'DELETED'
  | 2

export type BuildHistoryEventType__Output = typeof BuildHistoryEventType[keyof typeof BuildHistoryEventType]
