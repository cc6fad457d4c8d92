// Original file: protos/github.com/moby/buildkit/solver/pb/ops.proto

import type { Input as _pb_Input, Input__Output as _pb_Input__Output } from '../pb/Input.js';
import type { ExecOp as _pb_ExecOp, ExecOp__Output as _pb_ExecOp__Output } from '../pb/ExecOp.js';
import type { SourceOp as _pb_SourceOp, SourceOp__Output as _pb_SourceOp__Output } from '../pb/SourceOp.js';
import type { FileOp as _pb_FileOp, FileOp__Output as _pb_FileOp__Output } from '../pb/FileOp.js';
import type { BuildOp as _pb_BuildOp, BuildOp__Output as _pb_BuildOp__Output } from '../pb/BuildOp.js';
import type { MergeOp as _pb_MergeOp, MergeOp__Output as _pb_MergeOp__Output } from '../pb/MergeOp.js';
import type { DiffOp as _pb_DiffOp, DiffOp__Output as _pb_DiffOp__Output } from '../pb/DiffOp.js';
import type { Platform as _pb_Platform, Platform__Output as _pb_Platform__Output } from '../pb/Platform.js';
import type { WorkerConstraints as _pb_WorkerConstraints, WorkerConstraints__Output as _pb_WorkerConstraints__Output } from '../pb/WorkerConstraints.js';

export interface Op {
  'inputs'?: (_pb_Input)[];
  'exec'?: (_pb_ExecOp | null);
  'source'?: (_pb_SourceOp | null);
  'file'?: (_pb_FileOp | null);
  'build'?: (_pb_BuildOp | null);
  'merge'?: (_pb_MergeOp | null);
  'diff'?: (_pb_DiffOp | null);
  'platform'?: (_pb_Platform | null);
  'constraints'?: (_pb_WorkerConstraints | null);
  'op'?: "exec"|"source"|"file"|"build"|"merge"|"diff";
}

export interface Op__Output {
  'inputs'?: (_pb_Input__Output)[];
  'exec'?: (_pb_ExecOp__Output);
  'source'?: (_pb_SourceOp__Output);
  'file'?: (_pb_FileOp__Output);
  'build'?: (_pb_BuildOp__Output);
  'merge'?: (_pb_MergeOp__Output);
  'diff'?: (_pb_DiffOp__Output);
  'platform'?: (_pb_Platform__Output);
  'constraints'?: (_pb_WorkerConstraints__Output);
}
