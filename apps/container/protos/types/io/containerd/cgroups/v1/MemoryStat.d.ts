// Original file: protos/github.com/containerd/cgroups/stats/v1/metrics.proto

import type { MemoryEntry as _io_containerd_cgroups_v1_MemoryEntry, MemoryEntry__Output as _io_containerd_cgroups_v1_MemoryEntry__Output } from '../../../../io/containerd/cgroups/v1/MemoryEntry.js';
import type { Long } from '@grpc/proto-loader';

export interface MemoryStat {
  'cache'?: (number | string | Long);
  'rss'?: (number | string | Long);
  'rssHuge'?: (number | string | Long);
  'mappedFile'?: (number | string | Long);
  'dirty'?: (number | string | Long);
  'writeback'?: (number | string | Long);
  'pgPgIn'?: (number | string | Long);
  'pgPgOut'?: (number | string | Long);
  'pgFault'?: (number | string | Long);
  'pgMajFault'?: (number | string | Long);
  'inactiveAnon'?: (number | string | Long);
  'activeAnon'?: (number | string | Long);
  'inactiveFile'?: (number | string | Long);
  'activeFile'?: (number | string | Long);
  'unevictable'?: (number | string | Long);
  'hierarchicalMemoryLimit'?: (number | string | Long);
  'hierarchicalSwapLimit'?: (number | string | Long);
  'totalCache'?: (number | string | Long);
  'totalRss'?: (number | string | Long);
  'totalRssHuge'?: (number | string | Long);
  'totalMappedFile'?: (number | string | Long);
  'totalDirty'?: (number | string | Long);
  'totalWriteback'?: (number | string | Long);
  'totalPgPgIn'?: (number | string | Long);
  'totalPgPgOut'?: (number | string | Long);
  'totalPgFault'?: (number | string | Long);
  'totalPgMajFault'?: (number | string | Long);
  'totalInactiveAnon'?: (number | string | Long);
  'totalActiveAnon'?: (number | string | Long);
  'totalInactiveFile'?: (number | string | Long);
  'totalActiveFile'?: (number | string | Long);
  'totalUnevictable'?: (number | string | Long);
  'usage'?: (_io_containerd_cgroups_v1_MemoryEntry | null);
  'swap'?: (_io_containerd_cgroups_v1_MemoryEntry | null);
  'kernel'?: (_io_containerd_cgroups_v1_MemoryEntry | null);
  'kernelTcp'?: (_io_containerd_cgroups_v1_MemoryEntry | null);
}

export interface MemoryStat__Output {
  'cache': (number);
  'rss': (number);
  'rssHuge': (number);
  'mappedFile': (number);
  'dirty': (number);
  'writeback': (number);
  'pgPgIn': (number);
  'pgPgOut': (number);
  'pgFault': (number);
  'pgMajFault': (number);
  'inactiveAnon': (number);
  'activeAnon': (number);
  'inactiveFile': (number);
  'activeFile': (number);
  'unevictable': (number);
  'hierarchicalMemoryLimit': (number);
  'hierarchicalSwapLimit': (number);
  'totalCache': (number);
  'totalRss': (number);
  'totalRssHuge': (number);
  'totalMappedFile': (number);
  'totalDirty': (number);
  'totalWriteback': (number);
  'totalPgPgIn': (number);
  'totalPgPgOut': (number);
  'totalPgFault': (number);
  'totalPgMajFault': (number);
  'totalInactiveAnon': (number);
  'totalActiveAnon': (number);
  'totalInactiveFile': (number);
  'totalActiveFile': (number);
  'totalUnevictable': (number);
  'usage': (_io_containerd_cgroups_v1_MemoryEntry__Output | null);
  'swap': (_io_containerd_cgroups_v1_MemoryEntry__Output | null);
  'kernel': (_io_containerd_cgroups_v1_MemoryEntry__Output | null);
  'kernelTcp': (_io_containerd_cgroups_v1_MemoryEntry__Output | null);
}
