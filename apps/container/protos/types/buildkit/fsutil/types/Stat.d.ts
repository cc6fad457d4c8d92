// Original file: protos/github.com/tonistiigi/fsutil/types/stat.proto

import type { Long } from '@grpc/proto-loader';

export interface Stat {
  'path'?: (string);
  'mode'?: (number);
  'uid'?: (number);
  'gid'?: (number);
  'size'?: (number | string | Long);
  'modTime'?: (number | string | Long);
  'linkname'?: (string);
  'devmajor'?: (number | string | Long);
  'devminor'?: (number | string | Long);
  'xattrs'?: ({[key: string]: Buffer | Uint8Array | string});
}

export interface Stat__Output {
  'path'?: (string);
  'mode'?: (number);
  'uid'?: (number);
  'gid'?: (number);
  'size'?: (string);
  'modTime'?: (string);
  'linkname'?: (string);
  'devmajor'?: (string);
  'devminor'?: (string);
  'xattrs'?: ({[key: string]: Buffer});
}
