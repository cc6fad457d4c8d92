import type { HostConfig, HostConfigAllOfLogConfig, RestartPolicy } from "@docker/node-sdk";
import { logAttributes } from "../containers/records/log-options.ts";
import { restartsAfterExit } from "../containers/records/restart-policy.ts";
import type { Seen } from "./probe.testing.ts";
import { does, kept, type Row, type RowsOf, refuses, warns } from "./row.testing.ts";

function limit(group: "memory" | "cpu" | "blockIO" | "pids", name: string) {
  return ({ oci }: Seen): unknown => oci.linux.resources[group]?.[name];
}

function throttle(name: string, given: readonly object[]): Row {
  return does(given, limit("blockIO", name), [{ major: 8, minor: 0, rate: 1000 }]);
}

function mountAt(destination: string) {
  return ({ oci }: Seen) => oci.mounts.find((mount) => mount.destination === destination)?.options;
}

function namespace(type: string) {
  return ({ oci }: Seen): unknown => oci.linux.namespaces.find((one) => one.type === type);
}

function restarts(run: { readonly exitCode: number; readonly restartCount: number }) {
  return ({ record }: Seen) => restartsAfterExit(record.hostConfig.RestartPolicy, { ...run, stoppedByUser: false });
}

const DISK = [{ Path: "/dev/sda", Rate: 1000 }];
const MEMORY = 64 * 1024 * 1024;

/** The resource limits, which `docker update` can change. */
const RESOURCE_ROWS = {
  CpuShares: does(512, limit("cpu", "shares"), 512),
  Memory: does(MEMORY, limit("memory", "limit"), MEMORY),
  CgroupParent: does("/mine", ({ oci, record }) => oci.linux.cgroupsPath === `/mine/${record.id}`, true),
  BlkioWeight: does(300, limit("blockIO", "weight"), 300),
  BlkioWeightDevice: does([{ Path: "/dev/sda", Weight: 200 }], limit("blockIO", "weightDevice"), [
    { major: 8, minor: 0, weight: 200 },
  ]),
  BlkioDeviceReadBps: throttle("throttleReadBpsDevice", DISK),
  BlkioDeviceWriteBps: throttle("throttleWriteBpsDevice", DISK),
  BlkioDeviceReadIOps: throttle("throttleReadIOPSDevice", DISK),
  BlkioDeviceWriteIOps: throttle("throttleWriteIOPSDevice", DISK),
  CpuPeriod: does(50_000, limit("cpu", "period"), 50_000),
  CpuQuota: does(20_000, limit("cpu", "quota"), 20_000),
  CpuRealtimePeriod: does(1_000_000, limit("cpu", "realtimePeriod"), 1_000_000),
  CpuRealtimeRuntime: does(1000, limit("cpu", "realtimeRuntime"), 1000, {
    beside: { HostConfig: { CpuRealtimePeriod: 1_000_000 } },
  }),
  CpusetCpus: does("0", limit("cpu", "cpus"), "0"),
  CpusetMems: does("0", limit("cpu", "mems"), "0"),
  Devices: does(
    [{ PathOnHost: "/dev/sda", PathInContainer: "/dev/disk", CgroupPermissions: "r" }],
    ({ spec }) => spec.devices,
    [{ hostPath: "/dev/sda", path: "/dev/disk", permissions: "r" }],
  ),
  DeviceCgroupRules: does(["c 42:* rwm"], ({ oci }) => oci.linux.resources.devices.slice(-1), [
    { allow: true, type: "c", major: 42, access: "rwm" },
  ]),
  DeviceRequests: [
    refuses([{ Driver: "nvidia", Count: -1, Capabilities: [["gpu"]] }], 'could not select device driver "nvidia"'),
    refuses([{ Driver: "cdi", DeviceIDs: ["a/b=c"] }], "CDI device injection failed"),
  ],
  KernelMemoryTCP: does(MEMORY, limit("memory", "kernelTCP"), MEMORY),
  MemoryReservation: does(MEMORY, limit("memory", "reservation"), MEMORY),
  MemorySwap: does(-1, limit("memory", "swap"), -1, { beside: { HostConfig: { Memory: MEMORY } } }),
  MemorySwappiness: does(7, limit("memory", "swappiness"), 7),
  NanoCpus: does(500_000_000, limit("cpu", "quota"), 50_000),
  OomKillDisable: does(true, limit("memory", "disableOOMKiller"), true, { beside: { HostConfig: { Memory: MEMORY } } }),
  PidsLimit: does(9, limit("pids", "limit"), 9),
  Ulimits: does([{ Name: "nofile", Soft: 10, Hard: 20 }], ({ oci }) => oci.process.rlimits, [
    { type: "RLIMIT_NOFILE", soft: 10, hard: 20 },
  ]),
  CpuCount: warns(2, "linux does not support CPU count"),
  CpuPercent: warns(50, "linux does not support CPU percent"),
  IOMaximumIOps: refuses(1, "Invalid QoS settings"),
  IOMaximumBandwidth: refuses(1, "Invalid QoS settings"),
} as const;

const LOG = { Type: "json-file" };

export const LOG_ROWS: RowsOf<HostConfigAllOfLogConfig> = {
  Type: [
    does("none", ({ spec }) => spec.log.maxFiles, 2),
    does("local", ({ inspect }) => inspect.HostConfig.LogConfig, { Type: "local", Config: {} }),
    refuses("syslog", "no log driver named 'syslog' is registered"),
  ],
  Config: [
    does({ "max-size": "1k" }, ({ spec }) => spec.log.maxBytes, 1024, { beside: { HostConfig: { LogConfig: LOG } } }),
    does({ "max-size": "1k", "max-file": "3" }, ({ spec }) => spec.log.maxFiles, 3),
    does({ labels: "a" }, ({ record }) => logAttributes(record), [["a", "b"]], { beside: { Labels: { a: "b" } } }),
    does({ "labels-regex": "^a" }, ({ record }) => logAttributes(record), [["a", "b"]], {
      beside: { Labels: { a: "b" } },
    }),
    does({ env: "A" }, ({ record }) => logAttributes(record), [["A", "b"]], { beside: { Env: ["A=b"] } }),
    does({ "env-regex": "^A" }, ({ record }) => logAttributes(record), [["A", "b"]], { beside: { Env: ["A=b"] } }),
    does({ tag: "t" }, ({ record }) => logAttributes(record), [["tag", "t"]]),
    warns({ compress: "true" }, "log option compress=true is not supported"),
    warns({ mode: "non-blocking" }, "log option mode=non-blocking is not supported"),
    refuses({ "max-buffer-size": "1m" }, "max-buffer-size option is only supported with"),
    refuses({ odd: "1" }, "unknown log opt 'odd'"),
  ],
};

export const RESTART_ROWS: RowsOf<RestartPolicy> = {
  Name: does("always", restarts({ exitCode: 0, restartCount: 0 }), true),
  MaximumRetryCount: does(2, restarts({ exitCode: 1, restartCount: 2 }), false, {
    beside: { HostConfig: { RestartPolicy: { Name: "on-failure" } } },
  }),
};

const SECURITY_ROWS: readonly Row[] = [
  does(["no-new-privileges"], ({ oci }) => oci.process.noNewPrivileges, true),
  does(["no-new-privileges=1"], ({ oci }) => oci.process.noNewPrivileges, true),
  does(["seccomp=unconfined"], ({ oci }) => "seccomp" in oci.linux, false),
  does(["apparmor=mine"], ({ oci }) => oci.process.apparmorProfile, "mine"),
  warns(["apparmor=mine"], "Profile mine discarded", { host: { apparmor: false } }),
  kept(["apparmor=unconfined"], ({ inspect }) => inspect.HostConfig.SecurityOpt),
  kept(["label=disable"], ({ inspect }) => inspect.HostConfig.SecurityOpt),
  warns(["label=type:container_t"], "Label type:container_t discarded"),
  warns(["label:level:s0:c1"], "Label level:s0:c1 discarded"),
  refuses(["writable-cgroups=true"], "writable-cgroups=true is not supported"),
  refuses(["systempaths=unconfined"], "invalid --security-opt 2"),
  refuses(["label"], 'invalid --security-opt 1: "label"'),
];

/** The fields of `HostConfig`, but for those of types with rows of their own. */
export const HOST_CONFIG_ROWS: RowsOf<HostConfig, "LogConfig" | "RestartPolicy" | "Mounts"> = {
  ...RESOURCE_ROWS,
  Init: does(true, ({ oci }) => oci.process.args[0], "/sbin/docker-init"),
  Binds: does(["/srv:/data:ro"], mountAt("/data"), ["rbind", "ro", "rro", "rprivate"]),
  ContainerIDFile: kept("/tmp/id", ({ inspect }) => inspect.HostConfig.ContainerIDFile),
  NetworkMode: does("none", ({ sandbox }) => Object.keys(sandbox?.endpoints ?? {}), ["none"]),
  PortBindings: does({ "80/tcp": [{ HostIp: "127.0.0.1", HostPort: "8080" }] }, ({ lease }) => lease?.wishes, [
    { containerPort: 80, protocol: "tcp", hostIp: "127.0.0.1", hostPorts: { start: 8080, end: 8080 } },
  ]),
  AutoRemove: does(true, ({ record }) => record.hostConfig.AutoRemove, true),
  VolumeDriver: refuses("nope", "nope", { beside: { Volumes: { "/data": {} } } }),
  VolumesFrom: does(["donor:ro"], mountAt("/donated"), ["rbind", "ro", "rro", "rprivate"]),
  ConsoleSize: does([7, 9], ({ oci }) => oci.process.consoleSize, { height: 7, width: 9 }, { beside: { Tty: true } }),
  Annotations: [
    does({ "a.b": "c" }, ({ oci }) => oci.annotations, { "a.b": "c" }),
    refuses({ "io.containerd.x": "1" }, "is reserved for the runtime"),
  ],
  CapAdd: does(["SYS_ADMIN"], ({ oci }) => JSON.stringify(oci.process.capabilities).includes("CAP_SYS_ADMIN"), true),
  CapDrop: does(["CHOWN"], ({ oci }) => JSON.stringify(oci.process.capabilities).includes("CAP_CHOWN"), false),
  CgroupnsMode: does("host", namespace("cgroup"), undefined),
  Dns: does(["10.9.9.9"], ({ resolvConf, sandbox }) => [resolvConf.includes("10.9.9.9"), sandbox?.nameservers], [
    true,
    ["10.9.9.9"],
  ]),
  DnsOptions: does(["ndots:3"], ({ resolvConf }) => resolvConf.includes("ndots:3"), true),
  DnsSearch: does(["example.test"], ({ resolvConf }) => resolvConf.includes("search example.test"), true),
  ExtraHosts: does(["db:10.1.1.1"], ({ hosts }) => hosts.includes("10.1.1.1\tdb"), true),
  GroupAdd: does(["7"], ({ spec }) => spec.additionalGroups, ["7"]),
  IpcMode: does("host", namespace("ipc"), undefined),
  Cgroup: refuses("container:x", "invalid Cgroup"),
  Links: does(["donor:db"], ({ hosts }) => /\tdb /.test(hosts), true),
  OomScoreAdj: does(300, ({ oci }) => oci.process.oomScoreAdj, 300),
  PidMode: does("host", namespace("pid"), undefined),
  Privileged: does(true, ({ oci }) => oci.linux.maskedPaths, []),
  PublishAllPorts: does(true, ({ lease }) => lease?.wishes.length, 1, { beside: { ExposedPorts: { "80/tcp": {} } } }),
  ReadonlyRootfs: does(true, ({ oci }) => oci.root.readonly, true),
  SecurityOpt: SECURITY_ROWS,
  StorageOpt: [
    refuses({ size: "1g" }, "--storage-opt is supported only for"),
    refuses({ odd: "1" }, "Unknown option odd"),
  ],
  Tmpfs: does({ "/run": "size=64k" }, (seen) => mountAt("/run")(seen)?.includes("size=64k"), true),
  UTSMode: does("host", namespace("uts"), undefined),
  UsernsMode: kept("host", ({ inspect }) => inspect.HostConfig.UsernsMode),
  ShmSize: does(1024 * 1024, (seen) => mountAt("/dev/shm")(seen)?.includes("size=1048576"), true),
  Sysctls: does({ "net.ipv4.ip_forward": "1" }, ({ oci }) => oci.linux.sysctl["net.ipv4.ip_forward"], "1"),
  Runtime: refuses("kata", "unknown or invalid runtime name: kata"),
  Isolation: [kept("default", ({ inspect }) => inspect.HostConfig.Isolation), refuses("hyperv", "invalid isolation")],
  MaskedPaths: does(["/proc/x"], ({ oci }) => oci.linux.maskedPaths, ["/proc/x"]),
  ReadonlyPaths: does(["/proc/y"], ({ oci }) => oci.linux.readonlyPaths, ["/proc/y"]),
};
