// What API 1.42 and later added: asked at every version, since older ones ignore it or say so.
import { createHost } from "./creating.mjs";
import { json, lines } from "./lines.mjs";

const AMD64 = encodeURIComponent(json({ os: "linux", architecture: "amd64" }));
const PLAN9 = encodeURIComponent(json({ os: "plan9", architecture: "amd64" }));

function mounts(...all) {
  return createHost({ Mounts: all });
}

function create(rest) {
  return `POST /containers/create ${json({ Image: "busybox", ...rest })}`;
}

function endpoints(EndpointsConfig, rest = {}) {
  return create({ ...rest, NetworkingConfig: { EndpointsConfig } });
}

/** Queries of 1.42 and later. */
export const laterQueries = lines(`
  GET /system/df?type=image
  GET /system/df?type=container&type=volume
  GET /system/df?type=build-cache
  GET /system/df?type=nope
  GET /images/json?shared-size=1
  GET /images/json?manifests=1
  GET /images/json?filters=${json({ until: ["1"] })}
  GET /images/json?filters=${json({ until: ["soon"] })}
  GET /images/json?filters=${json({ until: ["1", "2"] })}
  GET /images/busybox/json?manifests=1
  GET /images/busybox/json?platform=${AMD64}
  GET /images/busybox/json?platform=${PLAN9}
  GET /images/busybox/json?platform=x
  GET /images/busybox/json?platform=${AMD64}&manifests=1
  GET /images/busybox/history?platform=${AMD64}
  GET /images/busybox/history?platform=${PLAN9}
  GET /images/busybox/history?platform={}
  GET /images/r/one:1/get?platform=${AMD64}
  GET /images/r/one:1/get?platform=x
  GET /images/get?names=r/one:1&platform=${PLAN9}
  tar=garbage POST /images/load?platform=x
  POST /images/$REGISTRY/r/base/push?tag=1&platform=x
  DELETE /images/nope?platforms=x
  POST /containers/nope/stop?signal=SIGNONE
  POST /containers/r-exited/stop?signal=SIGNONE
  POST /containers/r-running/exec {"Cmd":["true"],"Tty":true,"ConsoleSize":[1]}
  POST /containers/r-running/exec {"Cmd":["true"],"Tty":true,"ConsoleSize":["a","b"]}
  PUT /volumes/r-vol?version=1 {}
  PUT /volumes/nope?version=1 {}
  POST /volumes/create {"Name":"r-no","ClusterVolumeSpec":{}}
`);

/** Bodies of a create with fields of 1.42 and later. */
export const laterBodies = [
  mounts({ Type: "bind", Source: "/etc", Target: "/a", VolumeOptions: {} }),
  mounts({ Type: "volume", Source: "r-vol", Target: "/a", BindOptions: {} }),
  mounts({ Type: "volume", Source: "r-vol", Target: "/a", TmpfsOptions: {} }),
  mounts({ Type: "tmpfs", Target: "/a", VolumeOptions: {} }),
  mounts({ Type: "tmpfs", Target: "/a", BindOptions: {} }),
  mounts({ Type: "bind", Source: "/not/there", Target: "/a", BindOptions: { CreateMountpoint: false } }),
  mounts({ Type: "bind", Source: "/etc", Target: "/a", BindOptions: { Propagation: "nope" } }),
  mounts({ Type: "bind", Source: "/etc", Target: "/a", BindOptions: { ReadOnlyForceRecursive: true } }),
  mounts({
    Type: "bind",
    Source: "/etc",
    Target: "/a",
    ReadOnly: true,
    BindOptions: { ReadOnlyForceRecursive: true, ReadOnlyNonRecursive: true, Propagation: "rprivate" },
  }),
  mounts({
    Type: "bind",
    Source: "/etc",
    Target: "/a",
    ReadOnly: true,
    BindOptions: { ReadOnlyForceRecursive: true, Propagation: "rshared" },
  }),
  mounts({ Type: "bind", Source: "/etc", Target: "/a", BindOptions: { ReadOnlyNonRecursive: true } }),
  mounts({
    Type: "bind",
    Source: "/etc",
    Target: "/a",
    ReadOnly: true,
    BindOptions: { ReadOnlyForceRecursive: true, Propagation: "rprivate", NonRecursive: true },
  }),
  mounts({ Type: "volume", Source: "r-vol", Target: "/a", VolumeOptions: { Subpath: "/etc" } }),
  mounts({ Type: "volume", Source: "r-vol", Target: "/a", VolumeOptions: { Subpath: "../etc" } }),
  mounts({ Type: "volume", Source: "", Target: "/a", VolumeOptions: { Subpath: "etc" } }),
  mounts({ Type: "tmpfs", Target: "/a", TmpfsOptions: { SizeBytes: -1 } }),
  mounts({ Type: "tmpfs", Target: "/a", TmpfsOptions: { Options: [["exec"], ["size", "1m"]] } }),
  mounts({ Type: "tmpfs", Target: "/a", TmpfsOptions: { Options: [["nope"]] } }),
  mounts({ Type: "tmpfs", Target: "/a", TmpfsOptions: { Options: [["noexec", "1"]] } }),
  mounts({ Type: "tmpfs", Target: "/a", TmpfsOptions: { Options: [["a", "b", "c"]] } }),
  mounts({ Type: "tmpfs", Target: "/a", TmpfsOptions: { Options: [[]] } }),
  mounts({ Type: "image", Source: "busybox", Target: "/a" }),
  mounts({ Type: "image", Source: "nope", Target: "/a" }),
  mounts({ Type: "image", Source: "", Target: "/a" }),
  mounts({ Type: "image", Source: "busybox", Target: "/a", ImageOptions: { Subpath: "/etc" } }),
  mounts({ Type: "image", Source: "busybox", Target: "/a", VolumeOptions: {} }),
  mounts({ Type: "npipe", Source: "x", Target: "/a" }),
  mounts({ Type: "cluster", Source: "x", Target: "/a" }),
  mounts({ Type: "bind", Source: "a", Target: "b" }),
  mounts({ Type: "bind", Source: "/etc", Target: "/" }),
  mounts({ Type: "volume", Target: "/a", ReadOnly: true }),
  createHost({ Annotations: { a: "b" } }),
  createHost({ Annotations: { "": "b" } }),
  createHost({ Annotations: "x" }),
  createHost({ ConsoleSize: [10, 20] }),
  createHost({ KernelMemory: 1 }),
  createHost({ KernelMemory: 67108864 }),
  createHost({ KernelMemoryTCP: 67108864 }),
  createHost({ VolumeDriver: "local", Mounts: [{ Type: "volume", Source: "r-vol", Target: "/a" }] }),
  createHost({ Sysctls: { "net.ipv4.conf.eth0.log_martians": "1" } }),
  createHost({ Sysctls: { "net.ipv4.conf.eth1.log_martians": "1" } }),
  createHost({ DeviceRequests: [{ Driver: "cdi", DeviceIDs: ["a.b/c=d"] }] }),
  createHost({ DeviceRequests: [{ Driver: "nvidia", Count: -1, Capabilities: [["gpu"]] }] }),
  createHost({ DeviceRequests: [{ Count: -1, DeviceIDs: ["0"], Capabilities: [["gpu"]] }] }),
  createHost({ OomScoreAdj: 1001 }),
  createHost({ CgroupParent: "x" }),
  createHost({ UTSMode: "host" }),
  createHost({ Init: true }),
  createHost({ Isolation: "process" }),
  createHost({ GroupAdd: ["nobody-here"] }),
  createHost({ MaskedPaths: [], ReadonlyPaths: ["/proc"] }),
  createHost({ SecurityOpt: ["no-new-privileges:true", "writable-cgroups=true"] }),
  createHost({ SecurityOpt: ["seccomp=unconfined", "apparmor=unconfined", "label=disable", "systempaths=unconfined"] }),
  createHost({ SecurityOpt: ["no-new-privileges=maybe"] }),
  createHost({ RestartPolicy: { Name: "", MaximumRetryCount: 3 } }),
  createHost({ RestartPolicy: { Name: "no", MaximumRetryCount: 3 } }),
  createHost({ RestartPolicy: { Name: "unless-stopped", MaximumRetryCount: -3 } }),
  createHost({ AutoRemove: true, RestartPolicy: { Name: "always" } }),
  createHost({ Ulimits: [{ Name: "nofile", Soft: 1, Hard: -1 }] }),
  createHost({ StorageOpt: { size: "1G" } }),
  createHost({ CapAdd: ["ALL"], CapDrop: ["NET_RAW"] }),
  createHost({ ExtraHosts: ["a:host-gateway", "b=::1", "c:[::1]"] }),
  createHost({ Dns: ["1.1.1.1", "::1"], DnsOptions: ["ndots:3"], DnsSearch: ["."] }),
  createHost({ BlkioWeight: 500, BlkioWeightDevice: [{ Path: "/dev/null", Weight: 5 }] }),
  createHost({ BlkioDeviceReadBps: [{ Path: "/dev/none", Rate: 1 }] }),
  create({ Healthcheck: { Test: ["CMD", "true"], StartInterval: 1 } }),
  create({ Healthcheck: { Test: ["CMD", "true"], StartInterval: 1e9, StartPeriod: 1e9 } }),
  create({ Healthcheck: { Test: ["NOPE"] } }),
  create({ Healthcheck: { Test: ["CMD"], Timeout: -1 } }),
  create({ Healthcheck: { Test: ["CMD"], StartPeriod: 5 } }),
  create({ MacAddress: "02:42:ac:11:00:09" }),
  create({ MacAddress: "02:42:ac:11:00:09", HostConfig: { NetworkMode: "host" } }),
  create({ MacAddress: "02:42:ac:11:00:09", HostConfig: { NetworkMode: "none" } }),
  create({ StopTimeout: -1 }),
  create({ ArgsEscaped: true, Shell: ["/bin/sh"], OnBuild: ["RUN true"], NetworkDisabled: true }),
  create({ Domainname: "a.b", Hostname: "c" }),
  create({ Volumes: { "/": {} } }),
  create({ Volumes: { rel: {} } }),
  create({ WorkingDir: "/a/../b" }),
  create({ User: "nobody-here" }),
  create({ Platform: "x" }),
  'POST /containers/create?platform=linux/amd64 {"Image":"busybox"}',
  'POST /containers/create?platform=linux/arm64 {"Image":"busybox"}',
  'POST /containers/create?platform=a/b/c/d {"Image":"busybox"}',
  endpoints({ bridge: { MacAddress: "02:42:ac:11:00:09" } }),
  endpoints({ bridge: { MacAddress: "nope" } }),
  endpoints({ bridge: { MacAddress: "02:42:ac:11:00:09" } }, { MacAddress: "02:42:ac:11:00:08" }),
  endpoints({ "r-net": { MacAddress: "02:42:ac:11:00:09" } }, { MacAddress: "02:42:ac:11:00:09" }),
  endpoints({ bridge: {}, "r-net": { GwPriority: 5 } }),
  endpoints({ "r-net": {} }),
  endpoints({ bridge: { Aliases: ["a"] } }),
  endpoints({ bridge: { IPAMConfig: { IPv4Address: "172.17.0.99" } } }),
  endpoints({ "r-net": { IPAMConfig: { IPv4Address: "nope", IPv6Address: "nope", LinkLocalIPs: ["nope"] } } }),
  endpoints({ "r-net": { IPAMConfig: { IPv4Address: "10.250.9.9" } } }, { HostConfig: { NetworkMode: "r-net" } }),
  endpoints({ "r-net": { IPAMConfig: { IPv4Address: "::1", IPv6Address: "1.2.3.4" } } }),
  endpoints({ "r-net": { DriverOpts: { "com.docker.network.endpoint.sysctls": "nope" } } }),
  endpoints({ "r-net": { Links: ["nope:x"] } }),
  endpoints({ nope: {} }),
  endpoints({ host: {} }, { HostConfig: { NetworkMode: "r-net" } }),
  endpoints({ bridge: {} }, { HostConfig: { NetworkMode: "host" } }),
  endpoints({ bridge: {} }, { HostConfig: { NetworkMode: "none" } }),
  endpoints({ bridge: {} }, { HostConfig: { NetworkMode: "container:r-running" } }),
  endpoints({ default: {} }),
];

/** Networks, one after the other: their subnets would overlap with those of other versions. */
export const laterNetworks = [
  ...[
    { EnableIPv4: false },
    { EnableIPv4: true, EnableIPv6: false },
    { IPAM: { Config: [{ Subnet: "10.251.0.0/24", IPRange: "x" }] } },
    { IPAM: { Config: [{ Subnet: "10.251.0.1/24" }] } },
    { IPAM: { Config: [{ Subnet: "10.251.0.0/24", Gateway: "10.9.0.1", AuxiliaryAddresses: { a: "10.8.0.1" } }] } },
    { IPAM: { Config: [{ Subnet: "10.251.0.0/24", Gateway: "x" }] } },
    { IPAM: { Config: [{ Gateway: "10.251.0.1" }] } },
    { IPAM: { Config: [{ Subnet: "fd00:251::/64" }] } },
    { Options: { "com.docker.network.bridge.gateway_mode_ipv4": "nope" } },
    { Options: { "com.docker.network.bridge.host_binding_ipv4": "nope" } },
    { Options: { "com.docker.network.bridge.enable_icc": "nope" } },
    { Driver: "macvlan", Options: { parent: "nope0" } },
    { Scope: "local" },
    { Attachable: true },
    { ConfigOnly: true },
  ].map((rest, at) => `POST /networks/create ${json({ Name: `r-later${at}`, ...rest })}`),
  `POST /networks/r-net/connect ${json({ Container: "r-created", EndpointConfig: { MacAddress: "nope" } })}`,
  `POST /networks/r-net/connect ${json({
    Container: "r-created",
    EndpointConfig: { IPAMConfig: { IPv4Address: "nope", IPv6Address: "nope" } },
  })}`,
  `POST /networks/bridge/connect ${json({ Container: "r-running", EndpointConfig: { Aliases: ["a"] } })}`,
];

/** One after the other. */
export const laterChanging = lines(`
  POST /containers/create?name=v-later ${json({
    Image: "busybox",
    Cmd: ["sleep", "86400"],
    Tty: true,
    Healthcheck: { Test: ["CMD", "true"], Interval: 3_600_000_000_000, StartInterval: 3_600_000_000_000 },
    HostConfig: {
      NetworkMode: "r-net",
      Annotations: { a: "b" },
      ConsoleSize: [10, 20],
      KernelMemory: 67108864,
      Binds: ["/etc:/read:ro", "r-vol:/vol"],
      Mounts: [
        { Type: "bind", Source: "/etc", Target: "/one", ReadOnly: true, BindOptions: { Propagation: "rprivate" } },
        { Type: "tmpfs", Target: "/two", TmpfsOptions: { SizeBytes: 65536, Mode: 448 } },
        { Type: "volume", Target: "/three" },
      ],
      PortBindings: { "80/tcp": [{ HostIp: "127.0.0.1", HostPort: "" }], "81/udp": [{}] },
    },
    NetworkingConfig: { EndpointsConfig: { "r-net": { Aliases: ["later"], MacAddress: "02:42:ac:11:00:09" } } },
  })}
  GET /containers/v-later/json
  POST /containers/v-later/start
  GET /containers/v-later/json
  GET /containers/json?filters=${json({ name: ["v-later"] })}
  GET /networks/r-net
  POST /networks/bridge/connect {"Container":"v-later","EndpointConfig":{"GwPriority":7}}
  GET /containers/v-later/json
  POST /containers/v-later/update {"KernelMemory":67108864,"KernelMemoryTCP":67108864}
  POST /containers/v-later/exec {"Cmd":["stty","size"],"AttachStdout":true,"Tty":true,"ConsoleSize":[11,22]}
  upgrade POST /exec/$EXEC/start {"Tty":true}
  POST /containers/v-later/exec {"Cmd":["stty","size"],"AttachStdout":true,"Tty":true}
  POST /exec/$EXEC/start {"Tty":true,"ConsoleSize":[1]}
  POST /containers/v-later/restart?t=0&signal=SIGNONE
  POST /containers/v-later/restart?t=0&signal=SIGKILL
  POST /containers/v-later/stop?t=0&signal=SIGNONE
  POST /containers/v-later/start
  POST /containers/v-later/stop?t=0&signal=SIGKILL
  GET /containers/v-later/json
  GET /images/json?shared-size=1
  GET /system/df
  DELETE /containers/v-later?v=1
  POST /volumes/create {"Name":"v-vol","Labels":{"later":"named"}}
  POST /volumes/create {"Labels":{"later":"anonymous"}}
  POST /volumes/prune?filters=${json({ label: ["later=named"] })}
  POST /volumes/prune?filters=${json({ label: ["later=anonymous"] })}
  POST /volumes/prune?filters=${json({ label: ["later=named"], all: ["nope"] })}
  POST /volumes/prune?filters=${json({ label: ["later=named"], all: ["1"] })}
  DELETE /volumes/v-vol?force=1
  POST /networks/create {"Name":"v-net","EnableIPv4":true,"IPAM":{"Config":[{"Subnet":"10.250.0.0/24","IPRange":"10.250.0.128/25","Gateway":"10.250.0.1","AuxiliaryAddresses":{"a":"10.250.0.9"}}]}}
  GET /networks/v-net
  DELETE /networks/v-net
  tar=file POST /images/create?fromSrc=-&repo=r/platform&tag=1&platform=linux/arm64
  GET /images/r/platform:1/json
  DELETE /images/r/platform:1?platforms=${encodeURIComponent(json({ os: "plan9", architecture: "amd64" }))}
  DELETE /images/r/platform:1
`);

/** Each makes dockerd look for a plugin for a quarter of a minute, under locks that others wait for. */
export const searching = [
  mounts({ Type: "volume", Source: "r-none", Target: "/a", VolumeOptions: { DriverConfig: { Name: "nope" } } }),
  createHost({ VolumeDriver: "nope", Binds: ["r-none:/a"] }),
  createHost({ LogConfig: { Type: "nope" } }),
  `POST /networks/create ${json({ Name: "r-no", Driver: "nope" })}`,
  `POST /networks/create ${json({ Name: "r-no7", IPAM: { Driver: "nope" } })}`,
  `POST /volumes/create ${json({ Name: "r-no", Driver: "nope" })}`,
];
