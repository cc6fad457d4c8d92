// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto

import type { InitMessage as _moby_buildkit_v1_frontend_InitMessage, InitMessage__Output as _moby_buildkit_v1_frontend_InitMessage__Output } from '../../../../moby/buildkit/v1/frontend/InitMessage.js';
import type { FdMessage as _moby_buildkit_v1_frontend_FdMessage, FdMessage__Output as _moby_buildkit_v1_frontend_FdMessage__Output } from '../../../../moby/buildkit/v1/frontend/FdMessage.js';
import type { ResizeMessage as _moby_buildkit_v1_frontend_ResizeMessage, ResizeMessage__Output as _moby_buildkit_v1_frontend_ResizeMessage__Output } from '../../../../moby/buildkit/v1/frontend/ResizeMessage.js';
import type { StartedMessage as _moby_buildkit_v1_frontend_StartedMessage, StartedMessage__Output as _moby_buildkit_v1_frontend_StartedMessage__Output } from '../../../../moby/buildkit/v1/frontend/StartedMessage.js';
import type { ExitMessage as _moby_buildkit_v1_frontend_ExitMessage, ExitMessage__Output as _moby_buildkit_v1_frontend_ExitMessage__Output } from '../../../../moby/buildkit/v1/frontend/ExitMessage.js';
import type { DoneMessage as _moby_buildkit_v1_frontend_DoneMessage, DoneMessage__Output as _moby_buildkit_v1_frontend_DoneMessage__Output } from '../../../../moby/buildkit/v1/frontend/DoneMessage.js';
import type { SignalMessage as _moby_buildkit_v1_frontend_SignalMessage, SignalMessage__Output as _moby_buildkit_v1_frontend_SignalMessage__Output } from '../../../../moby/buildkit/v1/frontend/SignalMessage.js';

export interface ExecMessage {
  'ProcessID'?: (string);
  'Init'?: (_moby_buildkit_v1_frontend_InitMessage | null);
  'File'?: (_moby_buildkit_v1_frontend_FdMessage | null);
  'Resize'?: (_moby_buildkit_v1_frontend_ResizeMessage | null);
  'Started'?: (_moby_buildkit_v1_frontend_StartedMessage | null);
  'Exit'?: (_moby_buildkit_v1_frontend_ExitMessage | null);
  'Done'?: (_moby_buildkit_v1_frontend_DoneMessage | null);
  'Signal'?: (_moby_buildkit_v1_frontend_SignalMessage | null);
  'Input'?: "Init"|"File"|"Resize"|"Started"|"Exit"|"Done"|"Signal";
}

export interface ExecMessage__Output {
  'ProcessID'?: (string);
  'Init'?: (_moby_buildkit_v1_frontend_InitMessage__Output);
  'File'?: (_moby_buildkit_v1_frontend_FdMessage__Output);
  'Resize'?: (_moby_buildkit_v1_frontend_ResizeMessage__Output);
  'Started'?: (_moby_buildkit_v1_frontend_StartedMessage__Output);
  'Exit'?: (_moby_buildkit_v1_frontend_ExitMessage__Output);
  'Done'?: (_moby_buildkit_v1_frontend_DoneMessage__Output);
  'Signal'?: (_moby_buildkit_v1_frontend_SignalMessage__Output);
}
