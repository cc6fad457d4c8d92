import { describe, expect, it } from "vitest";
import { validateBody } from "../create.testing.ts";

const IMAGE = { Image: "busybox" };

function host(HostConfig: object) {
  return { ...IMAGE, HostConfig };
}

describe("the rules of a create, with dockerd's messages", () => {
  const restart = (Name: string, MaximumRetryCount = 0) => host({ RestartPolicy: { Name, MaximumRetryCount } });
  const sharing = (more: object, hostConfig: object = {}) => ({
    ...host({ NetworkMode: "container:a", ...hostConfig }),
    ...more,
  });
  it.each([
    [{}, "config cannot be empty in order to create a container"],
    [null, "config cannot be empty in order to create a container"],
    [[1], "cannot unmarshal array"],
    [{ Cmd: ["x"] }, "no image specified: Image is required"],
    [{ Cmd: [] }, "no command specified, and no image: Image is required"],
    [restart("on-failure", -1), "invalid restart policy: maximum retry count cannot be negative"],
    [restart("always", 3), "invalid restart policy: maximum retry count can only be used with 'on-failure'"],
    [restart("unknown"), "invalid restart policy: unknown policy 'unknown'"],
    [
      host({ AutoRemove: true, RestartPolicy: { Name: "always" } }),
      "can't create 'AutoRemove' container with restart policy",
    ],
    [host({ Memory: 1024 }), "Minimum memory limit allowed is 6MB"],
    [host({ MemorySwap: 8388608 }), "You should always set the Memory limit when using Memoryswap limit, see usage"],
    [
      host({ Memory: 16777216, MemorySwap: 8388608 }),
      "Minimum memoryswap limit should be larger than memory limit, see usage",
    ],
    [
      host({ Memory: 8388608, MemoryReservation: 16777216 }),
      "Minimum memory limit can not be less than memory reservation limit, see usage",
    ],
    [host({ NanoCpus: 3e9 }), "range of CPUs is from 0.01 to 2.00, as there are only 2 CPUs available"],
    [host({ NanoCpus: 1e9, CpuPeriod: 100000 }), "Conflicting options: Nano CPUs and CPU Period cannot both be set"],
    [
      host({ CpuRealtimeRuntime: 2000, CpuRealtimePeriod: 1000 }),
      "cpu real-time runtime cannot be higher than cpu real-time period",
    ],
    [host({ CpuRealtimeRuntime: 500, CpuRealtimePeriod: 1000 }), "accepted"],
    [host({ CpuRealtimeRuntime: 500 }), "accepted"],
    [host({ BlkioDeviceReadBps: [{ Path: 7 }] }), "HostConfig.BlkioDeviceReadBps[0].Path"],
    [
      host({ StorageOpt: { size: "1G" } }),
      "--storage-opt is supported only for overlay over xfs with 'pquota' mount option",
    ],
    [host({ StorageOpt: { other: "1" } }), "Unknown option other"],
    [host({ CpuPeriod: 1 }), "CPU cfs period can not be less than 1ms (i.e. 1000) or larger than 1s (i.e. 1000000)"],
    [host({ CpusetCpus: "x" }), "Invalid value x for cpuset cpus: invalid format: x"],
    [host({ CpusetCpus: "0-1" }), "accepted"],
    [host({ CpusetCpus: "0,2" }), "Requested CPUs are not available - requested 0,2, available: 0-1"],
    [
      host({ LogConfig: { Type: "json-file", Config: { nope: "1" } } }),
      "unknown log opt 'nope' for json-file log driver",
    ],
    [host({ LogConfig: { Type: "local", Config: { tag: "x" } } }), "unknown log opt 'tag' for local log driver"],
    [host({ LogConfig: { Type: "none", Config: { nope: "1" } } }), "accepted"],
    [host({ LogConfig: { Type: "json-file", Config: { "max-size": "1m", mode: "non-blocking" } } }), "accepted"],
    [host({ BlkioWeight: 5 }), "Range of blkio weight is from 10 to 1000"],
    [host({ OomScoreAdj: 1001 }), "Invalid value 1001, range for oom score adj is [-1000, 1000]"],
    [host({ ShmSize: -1 }), "SHM size can not be less than 0"],
    [host({ SecurityOpt: ["invalid_opt"] }), 'invalid --security-opt 1: "invalid_opt"'],
    [host({ Isolation: "hyperv" }), "invalid isolation (hyperv): linux only supports 'default'"],
    [host({ Runtime: "nope" }), "unknown or invalid runtime name: nope"],
    [host({ LogConfig: { Type: "syslog" } }), "logger: no log driver named 'syslog' is registered"],
    [host({ DeviceRequests: [{ Count: -1 }] }), 'could not select device driver "" with capabilities: []'],
    [host({ CapAdd: ["not a cap"] }), 'invalid CapAdd: unknown capability: "not a cap"'],
    [host({ Sysctls: { "vm.swappiness": "1" } }), 'sysctl "vm.swappiness" is not in a separate kernel namespace'],
    [host({ NetworkMode: "host", Sysctls: { "net.ipv4.ip_forward": "1" } }), "not allowed in host network namespace"],
    [host({ Ulimits: [{ Name: "nope", Soft: 1, Hard: 1 }] }), "invalid ulimit type: nope"],
    [
      host({ Ulimits: [{ Name: "nofile", Soft: 2, Hard: 1 }] }),
      "ulimit soft limit must be less than or equal to hard limit",
    ],
    [host({ ExtraHosts: ["nocolon"] }), 'bad format for add-host: "nocolon"'],
    [host({ PidMode: "what" }), "invalid PID mode: what"],
    [host({ CgroupnsMode: "x" }), "invalid cgroup namespace mode: x"],
    [
      host({ Binds: ["/a:b"] }),
      `invalid volume specification: '/a:b': invalid mount config for type "bind": invalid mount path: 'b' mount path must be absolute`,
    ],
    [host({ Binds: ["/a:/b:nope"] }), "invalid mode: nope"],
    [host({ Binds: ["/a:/b:ro:x"] }), "invalid volume specification"],
    [host({ Binds: ["/a:/"] }), "destination can't be '/'"],
    [host({ Binds: ["a b:/c"] }), '"a b" includes invalid characters for a local volume name'],
    [host({ Binds: ["/a:/x", "/b:/x/"] }), "Duplicate mount point: /x"],
    [
      host({ Mounts: [{ Type: "bind", Target: "/a" }] }),
      'invalid mount config for type "bind": field Source must not be empty',
    ],
    [
      host({ Mounts: [{ Type: "volume", Source: "v" }] }),
      'invalid mount config for type "volume": field Target must not be empty',
    ],
    [host({ Mounts: [{ Type: "nope", Target: "/a" }] }), 'invalid mount config for type "nope": mount type unknown'],
    [host({ Mounts: [{ Type: "tmpfs", Target: "/a", Source: "x" }] }), "field Source must not be specified"],
    [
      host({
        Mounts: [
          { Type: "tmpfs", Target: "/a" },
          { Type: "volume", Target: "/a" },
        ],
      }),
      "Duplicate mount point: /a",
    ],
    [host({ Tmpfs: { rel: "" } }), "mount path must be absolute"],
    [{ ...IMAGE, WorkingDir: "rel" }, "the working directory 'rel' is invalid, it needs to be an absolute path"],
    [{ ...IMAGE, Env: ["=x"] }, "invalid environment variable: =x"],
    [{ ...IMAGE, StopSignal: "no such" }, "invalid signal: no such"],
    [{ ...IMAGE, StopSignal: "SIGNONE" }, "invalid signal: SIGNONE"],
    [[], "invalid JSON: json: cannot unmarshal array into Go value of type runconfig.ContainerConfigWrapper"],
    [
      { ...IMAGE, Cmd: 7 },
      "invalid JSON: json: cannot unmarshal number into Go struct field ContainerConfigWrapper.Cmd of type string",
    ],
    [{ ...IMAGE, Hostname: "bad host!" }, "invalid hostname"],
    [{ ...IMAGE, Healthcheck: { Interval: 5 } }, "Interval in Healthcheck cannot be less than 1ms"],
    [{ ...IMAGE, Healthcheck: { Retries: -1 } }, "Retries in Healthcheck cannot be negative"],
    [{ ...IMAGE, Env: ["a\u0000"] }, "Env.0: a NUL byte is not allowed"],
    [sharing({ Hostname: "h" }), "conflicting options: hostname and the network mode"],
    [sharing({}, { Dns: ["1.1.1.1"] }), "conflicting options: dns and the network mode"],
    [
      sharing({}, { PortBindings: { "80/tcp": [{}] } }),
      "conflicting options: port publishing and the container type network mode",
    ],
    [
      sharing({ ExposedPorts: { "80/tcp": {} } }),
      "conflicting options: port exposing and the container type network mode",
    ],
    [host({ NetworkMode: "container:" }), "invalid network mode: invalid container format container:<name|id>"],
    [{ ...host({ UTSMode: "host" }), Hostname: "h" }, "conflicting options: hostname and the UTS mode"],
  ])("%j", (body, message) => {
    expect(validateBody(body)).toContain(message);
  });

  it.each([
    [host({ RestartPolicy: { Name: "on-failure" } })],
    [host({ Binds: ["/a:/b:ro,z", "vol:/c", "/anonymous"] })],
    [host({ CapAdd: ["ALL"], CapDrop: ["net_admin", "CAP_SYS_TIME"] })],
    [host({ SecurityOpt: ["seccomp=unconfined", "no-new-privileges", "label:disable"] })],
    [host({ Sysctls: { "net.ipv4.ip_forward": "1", "kernel.shmmax": "1" } })],
    [host({ Ulimits: [{ Name: "core", Soft: -1, Hard: -1 }] })],
    [host({ NetworkMode: "container:a" })],
    [host({ MemorySwap: -1, MemorySwappiness: -1 })],
    [{ ...IMAGE, StopSignal: "SIGRTMIN+3", Hostname: "a.b-c" }],
    [{ ...IMAGE, StopSignal: "15" }],
  ])("accepts %j", (body) => {
    expect(validateBody(body)).toBe("accepted");
  });
});
