// Original file: protos/github.com/containerd/cgroups/v2/stats/metrics.proto

import type { Long } from '@grpc/proto-loader';

export interface MemoryStat {
  'anon'?: (number | string | Long);
  'file'?: (number | string | Long);
  'kernelStack'?: (number | string | Long);
  'slab'?: (number | string | Long);
  'sock'?: (number | string | Long);
  'shmem'?: (number | string | Long);
  'fileMapped'?: (number | string | Long);
  'fileDirty'?: (number | string | Long);
  'fileWriteback'?: (number | string | Long);
  'anonThp'?: (number | string | Long);
  'inactiveAnon'?: (number | string | Long);
  'activeAnon'?: (number | string | Long);
  'inactiveFile'?: (number | string | Long);
  'activeFile'?: (number | string | Long);
  'unevictable'?: (number | string | Long);
  'slabReclaimable'?: (number | string | Long);
  'slabUnreclaimable'?: (number | string | Long);
  'pgfault'?: (number | string | Long);
  'pgmajfault'?: (number | string | Long);
  'workingsetRefault'?: (number | string | Long);
  'workingsetActivate'?: (number | string | Long);
  'workingsetNodereclaim'?: (number | string | Long);
  'pgrefill'?: (number | string | Long);
  'pgscan'?: (number | string | Long);
  'pgsteal'?: (number | string | Long);
  'pgactivate'?: (number | string | Long);
  'pgdeactivate'?: (number | string | Long);
  'pglazyfree'?: (number | string | Long);
  'pglazyfreed'?: (number | string | Long);
  'thpFaultAlloc'?: (number | string | Long);
  'thpCollapseAlloc'?: (number | string | Long);
  'usage'?: (number | string | Long);
  'usageLimit'?: (number | string | Long);
  'swapUsage'?: (number | string | Long);
  'swapLimit'?: (number | string | Long);
}

export interface MemoryStat__Output {
  'anon': (number);
  'file': (number);
  'kernelStack': (number);
  'slab': (number);
  'sock': (number);
  'shmem': (number);
  'fileMapped': (number);
  'fileDirty': (number);
  'fileWriteback': (number);
  'anonThp': (number);
  'inactiveAnon': (number);
  'activeAnon': (number);
  'inactiveFile': (number);
  'activeFile': (number);
  'unevictable': (number);
  'slabReclaimable': (number);
  'slabUnreclaimable': (number);
  'pgfault': (number);
  'pgmajfault': (number);
  'workingsetRefault': (number);
  'workingsetActivate': (number);
  'workingsetNodereclaim': (number);
  'pgrefill': (number);
  'pgscan': (number);
  'pgsteal': (number);
  'pgactivate': (number);
  'pgdeactivate': (number);
  'pglazyfree': (number);
  'pglazyfreed': (number);
  'thpFaultAlloc': (number);
  'thpCollapseAlloc': (number);
  'usage': (number);
  'usageLimit': (number);
  'swapUsage': (number);
  'swapLimit': (number);
}
