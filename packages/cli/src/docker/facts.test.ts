import { expect, test } from "vitest";
import { parseCompose } from "./compose.ts";
import { factsOf } from "./facts.ts";
import { parseDockerLine } from "./line.ts";

function facts(line: string) {
  const run = parseDockerLine(line.split(" "));
  if (!run.ok) throw new Error(run.error);
  const read = factsOf(run.value, "/home/ann");
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

const WEB = { hostIp: "", hostPort: { start: 8080, end: 8080 }, protocol: "tcp" };

test.each([
  ["run -p 8080:80 nginx", [WEB]],
  ["docker run -dp8080:80 nginx", [WEB]],
  ["docker container create --publish=8080:80 nginx", [WEB]],
  ["run --rm -it --name web -p 8080:80 -- nginx -p 1:1", [WEB]],
  ["run -p 80 nginx", [{ ...WEB, hostPort: "dynamic" }]],
  ["run -P --expose 53/udp nginx", [{ hostIp: "", hostPort: "dynamic", protocol: "udp" }]],
  [
    "run -p 127.0.0.1:8000-8010:80/udp nginx",
    [{ hostIp: "127.0.0.1", hostPort: { start: 8000, end: 8010 }, protocol: "udp" }],
  ],
  ["run --network host -p 8080:80 nginx", []],
])("reads the ports of %s", (line, ports) => expect(facts(line).ports).toEqual(ports));

test.each([
  ["nginx", "docker.io/library/nginx:latest"],
  ["acme/app:2", "docker.io/acme/app:2"],
  ["localhost:5000/app", "localhost:5000/app:latest"],
])("reads the image %s, and keeps it as typed", (image, reference) => {
  expect(facts(`run ${image}`).images).toEqual([{ name: image, references: [reference] }]);
});

test.each([
  ["run -v /srv:/data:ro nginx", [{ path: "/srv", readOnly: true }]],
  ["run -v ./data:/data -v cache:/cache -v /anonymous nginx", [{ path: "/home/ann/data", readOnly: false }]],
  ["run --mount type=bind,src=/srv,dst=/data,readonly nginx", [{ path: "/srv", readOnly: true }]],
  ["run --mount type=volume,src=cache,dst=/data nginx", []],
])("reads the host folders of %s", (line, mounts) => expect(facts(line).mounts).toEqual(mounts));

test.each([
  ["--privileged", "privileged"],
  ["--privileged=true", "privileged"],
  ["--net host", "host-network"],
  ["--network container:web", "join-container"],
  ["--pid host", "host-pid"],
  ["--ipc host", "host-ipc"],
  ["--uts host", "host-uts"],
  ["--userns host", "host-users"],
  ["--cgroupns host", "host-cgroups"],
  ["--device /dev/sda", "devices"],
  ["--gpus all", "devices"],
  ["--security-opt seccomp=unconfined", "unconfined"],
  ["--oom-score-adj -5", "unconfined"],
  ["--sysctl net.core.somaxconn=1", "sysctls"],
  ["--runtime kata", "runtime"],
  ["--cgroup-parent /x", "cgroup-parent"],
  ["--cap-add cap_net_admin", "capability:NET_ADMIN"],
])("takes %s for %s", (flag, privilege) => expect(facts(`run ${flag} nginx`).privileges).toEqual([privilege]));

test("takes what only tightens for no privilege", () => {
  expect(
    facts("run --privileged=false --security-opt no-new-privileges --cap-drop ALL --read-only nginx").privileges,
  ).toEqual([]);
});

test("reads limits in Docker's units", () => {
  expect(facts("run -m 512m --cpus 1.5 --pids-limit 100 -p 1:1 -p 2:2 nginx").quantities).toEqual({
    containers: 1,
    "published-ports": 2,
    memory: 512 * 2 ** 20,
    cpu: 1.5,
    pids: 100,
    storage: 0,
  });
  expect(facts("run --cpu-quota 50000 --pids-limit -1 nginx").quantities).toMatchObject({
    memory: "unlimited",
    cpu: 0.5,
    pids: "unlimited",
  });
});

test.each([
  ["ps", "it must be one of docker run"],
  ["run", "names no image"],
  ["run -p", "needs a value"],
])("refuses the line %s", (line, message) => {
  expect(parseDockerLine(line.split(" "))).toEqual({ ok: false, error: expect.stringContaining(message) });
});

test("refuses a port that Docker refuses", () => {
  const run = parseDockerLine(["run", "-p", "8x:80", "nginx"]);
  expect(run.ok && factsOf(run.value, "/")).toEqual({ ok: false, error: "-p 8x:80: invalid hostPort: 8x" });
});

test("reads a service of a compose file as docker run would write it", () => {
  const file = parseCompose(
    `x-limits: &limits { mem_limit: 1g }
services:
  web:
    <<: *limits
    image: "nginx:\${TAG:-latest}"
    ports: ["8080:80", { target: 53, protocol: udp }]
    volumes: ["./data:/data", { type: bind, source: /srv, target: /srv, read_only: true }, "cache:/cache"]
    cap_add: [NET_ADMIN]
    network_mode: "service:db"
    sysctls: { net.core.somaxconn: 1024 }
    deploy: { resources: { limits: { cpus: "0.5" } } }
`,
    { TAG: "1.27" },
  );
  const web = file.ok ? file.value.get("web") : undefined;
  expect(file).toMatchObject({ ok: true });
  expect(web && Object.fromEntries(web.flags)).toEqual({
    memory: ["1g"],
    publish: ["8080:80/tcp", "53/udp"],
    volume: ["./data:/data", "/srv:/srv:ro", "cache:/cache"],
    "cap-add": ["NET_ADMIN"],
    network: ["container:db"],
    sysctl: ["net.core.somaxconn=1024"],
    cpus: ["0.5"],
  });
  expect(web?.image).toBe("nginx:1.27");
});

test.each([
  ["services: {}", "has no services"],
  ["services: [", "not YAML"],
  ["include: [x.yaml]\nservices: { a: { image: b } }", "include is not followed"],
  ["services: { a: { extends: b } }", "services.a: extends is not followed"],
  ["services: { a: { image: b, ports: ['x'] } }", "services.a: ports: "],
])("refuses the compose file %j", (text, message) => {
  expect(parseCompose(text, {})).toEqual({ ok: false, error: expect.stringContaining(message) });
});
