import { expect, test } from "vitest";
import { createBodyOf } from "./create-body.ts";
import { parseDockerLine } from "./line.ts";

function hostConfig(line: string): unknown {
  return (body(line) as { HostConfig: unknown }).HostConfig;
}

function body(line: string): object {
  const run = parseDockerLine(`run ${line}`.split(" "));
  if (!run.ok) throw new Error(run.error);
  const read = createBodyOf(run.value, "/home/ann");
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

test("names the image and its ports as the CLI does", () => {
  expect(body("-p 8080:80 -p 127.0.0.1::53/udp --expose 90 nginx -p 1:1")).toMatchObject({
    Image: "nginx",
    ExposedPorts: { "80/tcp": {}, "53/udp": {}, "90/tcp": {} },
    HostConfig: {
      PortBindings: {
        "80/tcp": [{ HostIp: "", HostPort: "8080" }],
        "53/udp": [{ HostIp: "127.0.0.1", HostPort: "" }],
      },
    },
  });
});

test.each([
  ["-P nginx", { PublishAllPorts: true }],
  ["--privileged nginx", { Privileged: true }],
  ["--privileged=false nginx", { Privileged: false }],
  ["--net host --pid host --ipc host nginx", { NetworkMode: "host", PidMode: "host", IpcMode: "host" }],
  ["--cap-add SYS_ADMIN --cap-add NET_RAW nginx", { CapAdd: ["SYS_ADMIN", "NET_RAW"] }],
  ["-m 1g --memory-swap -1 --cpus 1.5 nginx", { Memory: 2 ** 30, MemorySwap: -1, NanoCpus: 1.5e9 }],
  ["--pids-limit 50 --oom-score-adj -5 nginx", { PidsLimit: 50, OomScoreAdj: -5 }],
  ["--sysctl net.core.somaxconn=1 nginx", { Sysctls: { "net.core.somaxconn": "1" } }],
  [
    "--device /dev/kvm:/dev/kvm:r nginx",
    { Devices: [{ PathOnHost: "/dev/kvm", PathInContainer: "/dev/kvm", CgroupPermissions: "r" }] },
  ],
  ["--gpus all nginx", { DeviceRequests: [{ Count: -1, Capabilities: [["gpu"]] }] }],
  ["-v ./data:/data:ro -v cache:/cache -v /anonymous nginx", { Binds: ["/home/ann/data:/data:ro", "cache:/cache"] }],
  [
    "--mount type=bind,src=../srv,dst=/data,readonly nginx",
    { Mounts: [{ Type: "bind", Source: "/home/srv", Target: "/data", ReadOnly: true }] },
  ],
])("reads %s", (line, expected) => expect(hostConfig(line)).toMatchObject(expected));

test("says which port is none", () => {
  const run = parseDockerLine("run -p x:y nginx".split(" "));
  if (!run.ok) throw new Error(run.error);
  expect(createBodyOf(run.value, "/")).toMatchObject({ ok: false, error: expect.stringContaining("-p x:y") });
});
