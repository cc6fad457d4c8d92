import { join } from "node:path";

export interface DaemonPaths {
  /** containerd's lasting state: content, snapshots, metadata. */
  readonly root: string;
  /** The snapshotter's folder of snapshots. */
  readonly snapshots: string;
  /** What ends with the machine's uptime: task bundles, sockets. */
  readonly state: string;
  readonly socket: string;
  readonly config: string;
  readonly pid: string;
  readonly log: string;
  /** There once the instance has used the host's containerd. */
  readonly hostUsed: string;
}

/** Where Berth's own containerd keeps everything: nothing is shared with another instance or the host's containerd. */
export function daemonPaths({ stateDir, runDir }: { readonly stateDir: string; readonly runDir: string }): DaemonPaths {
  const root = join(stateDir, "containerd");
  return {
    root,
    snapshots: join(root, "io.containerd.snapshotter.v1.overlayfs/snapshots"),
    state: join(runDir, "containerd"),
    socket: join(runDir, "containerd.sock"),
    config: join(runDir, "containerd.toml"),
    pid: join(runDir, "containerd.pid"),
    log: join(stateDir, "containerd.log"),
    hostUsed: join(stateDir, "host-containerd"),
  };
}

/** Kubernetes' side, tracing, and snapshotters that Berth never asks for: each costs time at start and probes the host. */
const DISABLED = [
  "io.containerd.grpc.v1.cri",
  "io.containerd.internal.v1.opt",
  "io.containerd.internal.v1.tracing",
  "io.containerd.internal.v1.restart",
  "io.containerd.tracing.processor.v1.otlp",
  "io.containerd.snapshotter.v1.aufs",
  "io.containerd.snapshotter.v1.blockfile",
  "io.containerd.snapshotter.v1.btrfs",
  "io.containerd.snapshotter.v1.devmapper",
  "io.containerd.snapshotter.v1.zfs",
];

/** As systemd gives dockerd: where memory runs out, the kernel ends containers first. A shim has one more than its containerd. */
const OOM_SCORE = -500;

/** The configuration file, version 2 of containerd's format, which 1.6, 1.7 and 2.x read. */
export function daemonConfig(paths: DaemonPaths): string {
  return `version = 2
root = ${JSON.stringify(paths.root)}
state = ${JSON.stringify(paths.state)}
oom_score = ${OOM_SCORE}
disabled_plugins = ${JSON.stringify(DISABLED)}

[grpc]
  address = ${JSON.stringify(paths.socket)}

[debug]
  level = "warn"
`;
}
