import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeContainers } from "./berth.testing.ts";
import { dockerOf } from "./docker.testing.ts";
import { sharedBerth } from "./shared-berth.testing.ts";

// What clients and moby's own tests sent, with the right answers.

const berth = sharedBerth();
const docker = dockerOf(berth);
const NETWORK = `cases-${process.pid}`;
const INTERNAL = `${NETWORK}-in`;

beforeAll(async () => {
  await docker.run("network", "create", NETWORK);
  await docker.run("network", "create", "--internal", INTERNAL);
});
afterAll(async () => {
  await removeContainers(berth);
  await docker.run("network", "rm", NETWORK, INTERNAL);
});

/** What comes back for bytes written to the socket. */
function exchange(bytes: string): Promise<string> {
  return new Promise((settle, reject) => {
    const socket = connect(berth.socket, () => socket.write(bytes));
    let text = "";
    socket.on("data", (data) => (text += data));
    socket.on("end", () => settle(text));
    socket.on("error", reject);
  });
}

describe("requests that Node's parser does not take", () => {
  test("a scheme without a host is read as a path (systeminformation)", async () => {
    const answer = await exchange("GET http:/info HTTP/1.0\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.[01] 200 /);
    expect(answer).toContain('"ServerVersion"');
  });

  test("`Upgrade: tcp` without a Connection header takes the connection over", async () => {
    const { json } = await berth.expect([201], "POST", "/containers/create", { Image: "busybox", Cmd: ["true"] });
    await berth.expect([204], "POST", `/containers/${json.Id}/start`);
    await berth.expect([200], "POST", `/containers/${json.Id}/wait`);
    const path = `/containers/${json.Id}/attach?logs=1&stdout=1`;
    const answer = await exchange(`POST ${path} HTTP/1.1\r\nHost: docker\r\nUpgrade: tcp\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 101 UPGRADED\r\n/);
  });
});

describe("create", () => {
  test.each([
    ["1.47", { HostConfig: { Sysctls: { "net.ipv4.conf.eth0.log_martians": "1" } } }],
    [
      "1.51",
      {
        NetworkingConfig: {
          EndpointsConfig: {
            [NETWORK]: {
              DriverOpts: { "com.docker.network.endpoint.sysctls": "net.ipv4.conf.IFNAME.log_martians=1" },
            },
          },
        },
      },
    ],
  ])("gives an interface its sysctls, API %s", async (version, wish) => {
    const body = { Image: "busybox", Cmd: ["cat", "/proc/sys/net/ipv4/conf/eth0/log_martians"], ...wish };
    const { json } = await berth.expect([201], "POST", `/v${version}/containers/create`, body);
    expect(await docker.run("start", "-a", json.Id)).toBe("1");
  });

  test("joins the one network that its endpoints name where the mode names none", async () => {
    const { json } = await berth.expect([201], "POST", "/containers/create", {
      Image: "busybox",
      NetworkingConfig: { EndpointsConfig: { [NETWORK]: {} } },
    });
    const { json: made } = await berth.expect([200], "GET", `/containers/${json.Id}/json`);
    expect(Object.keys(made.NetworkSettings.Networks)).toEqual([NETWORK]);
  });

  test("takes capabilities given as one text", async () => {
    const HostConfig = { CapAdd: "NET_ADMIN", CapDrop: "CHOWN" };
    const { json } = await berth.expect([201], "POST", "/containers/create", { Image: "busybox", HostConfig });
    const { json: made } = await berth.expect([200], "GET", `/containers/${json.Id}/json`);
    expect(made.HostConfig).toMatchObject({ CapAdd: ["NET_ADMIN"], CapDrop: ["CHOWN"] });
  });

  test("links on a user network to a container that comes later", async () => {
    await docker.run("create", "--network", NETWORK, "--link", "later:l", "busybox", "true");
  });
});

test("an endpoint names its interface", async () => {
  const named = (name: string) => `driver-opt=com.docker.network.endpoint.ifname=${name}`;
  const show = ["busybox", "ip", "-o", "link", "show", "lan0"];
  const said = await docker.run("run", "--rm", "--network", `name=${NETWORK},${named("lan0")}`, ...show);
  expect(said).toContain(": lan0@");
  const odd = await docker.try("create", "--network", `name=${NETWORK},${named("lo")}`, "busybox");
  expect(odd.stderr).toContain("invalid interface name 'lo'");
  const both = ["--network", `name=${NETWORK},${named("lan0")}`, "--network", `name=${INTERNAL},${named("lan0")}`];
  const twice = await docker.try("run", "--rm", ...both, "busybox", "true");
  expect(twice.stderr).toContain("the container has an interface lan0 already");
});

describe("names and addresses inside", () => {
  test("a container answers to its hostname on a user network", async () => {
    await docker.run("run", "-d", "--network", NETWORK, "--hostname", "hostalias", "busybox", "sleep", "300");
    const found = await docker.run("run", "--rm", "--network", NETWORK, "busybox", "nslookup", "hostalias");
    expect(found).toMatch(/^Address: *\d+\.\d+\.\d+\.\d+$/m);
  });

  test("names of a user network are tried as they are first", async () => {
    const file = ["--dns-search", "ex.test", "busybox", "cat", "/etc/resolv.conf"];
    expect(await docker.run("run", "--rm", "--network", NETWORK, ...file)).toContain("ndots:0");
    const own = await docker.run("run", "--rm", "--network", NETWORK, "--dns-option", "ndots:2", ...file);
    expect(own).not.toContain("ndots:0");
  });

  test("host-gateway is the default network's gateway, on an internal network too", async () => {
    const { json } = await berth.expect([200], "GET", "/networks/bridge");
    const gateway = json.IPAM.Config[0].Gateway;
    for (const name of [INTERNAL, "bridge"]) {
      const options = ["--rm", "--network", name, "--add-host", "x:host-gateway"];
      expect(await docker.run("run", ...options, "busybox", "cat", "/etc/hosts")).toContain(`${gateway}\tx`);
    }
  });
});

describe("processes", () => {
  test("an exec has its container's ulimits", async () => {
    await docker.run("run", "-d", "--name", "limited", "--ulimit", "nofile=1000:2000", "busybox", "sleep", "300");
    expect(await docker.run("exec", "limited", "sh", "-c", "ulimit -n; ulimit -Hn")).toBe("1000\n2000");
  });

  test("an attach that ends its input leaves an input open that others may write to", async () => {
    await docker.run("run", "-di", "--name", "open", "busybox", "cat");
    const attached = docker.start("attach", "open");
    attached.write("hi\n");
    await attached.prints("hi");
    attached.end();
    await docker.run("exec", "open", "true");
    const { json } = await berth.expect([200], "GET", "/containers/open/json");
    expect(json.State.Running).toBe(true);
    attached.kill();
  });

  test("an update lifts the limit of processes", async () => {
    await docker.run("run", "-d", "--name", "few", "--pids-limit", "32", "busybox", "sleep", "300");
    await docker.run("update", "--pids-limit", "-1", "few");
    const limit = "cat /sys/fs/cgroup/pids/pids.max /sys/fs/cgroup/pids.max 2>/dev/null";
    expect(await docker.run("exec", "few", "sh", "-c", `${limit}; true`)).toBe("max");
  });

  test("IPC namespaces: none has no shared memory, a private one is not joined, the host's has queues", async () => {
    const mounted = ["busybox", "grep", "-c", "/dev/shm", "/proc/self/mountinfo"];
    expect((await docker.try("run", "--rm", "--ipc", "none", ...mounted)).stdout.trim()).toBe("0");
    await docker.run("run", "-d", "--name", "alone", "--ipc", "private", "busybox", "sleep", "300");
    const joining = await docker.try("run", "--rm", "--ipc", "container:alone", "busybox", "true");
    expect(joining.stderr).toContain("non-shareable IPC");
    await docker.run("run", "-d", "--name", "giving", "--ipc", "shareable", "busybox", "sleep", "300");
    await docker.run("exec", "giving", "sh", "-c", "echo shared > /dev/shm/f");
    expect(await docker.run("run", "--rm", "--ipc", "container:giving", "busybox", "cat", "/dev/shm/f")).toBe("shared");
    const queues = ["busybox", "grep", "-c", " /dev/mqueue ", "/proc/self/mountinfo"];
    expect(await docker.run("run", "--rm", "--ipc", "host", ...queues)).toBe("1");
  });
});

test("a bind that is not recursive brings no further mounts", async () => {
  const count = ["busybox", "grep", "-c", " /s/", "/proc/self/mountinfo"];
  const mount = "type=bind,src=/sys,dst=/s,readonly";
  expect((await docker.try("run", "--rm", "--mount", `${mount},bind-nonrecursive`, ...count)).stdout.trim()).toBe("0");
  expect(Number(await docker.run("run", "--rm", "--mount", mount, ...count))).toBeGreaterThan(0);
});

describe("links", () => {
  beforeAll(async () => {
    await docker.run("run", "-d", "--name", "linked", "busybox", "sleep", "300");
    await docker.run("run", "-d", "--name", "linking", "--link", "linked:db", "busybox", "sleep", "300");
  });

  test("are names of their target", async () => {
    const { json: all } = await berth.expect([200], "GET", "/containers/json");
    const names = all.flatMap(({ Names }: { readonly Names: readonly string[] }) => [Names]);
    expect(names).toContainEqual(["/linked", "/linking/db"]);
    const { json } = await berth.expect([200], "GET", "/containers/linking/db/json");
    expect(json.Name).toBe("/linked");
  });

  test("give their variables to execs", async () => {
    expect(await docker.run("exec", "linking", "sh", "-c", "echo $DB_NAME")).toBe("/linking/db");
  });
});

describe("what a create makes", () => {
  test("the working directory is there before the start", async () => {
    await docker.run("create", "--name", "working", "-w", "/home/foo/bar", "busybox", "true");
    await berth.expect([200], "GET", "/containers/working/archive?path=/home/foo/bar");
    const file = await docker.try("create", "-w", "/bin/busybox", "busybox", "true");
    expect(file.stderr).toContain("Cannot mkdir: /bin/busybox is not a directory");
  });

  test("a bind of the host's root follows its mounts, and must", async () => {
    await docker.run("create", "--name", "rooted", "-v", "/:/host:ro", "busybox", "true");
    expect(await docker.run("inspect", "-f", "{{(index .Mounts 0).Propagation}}", "rooted")).toBe("rslave");
    const held = await docker.try("run", "--rm", "-v", "/:/host:ro,rprivate", "busybox", "true");
    expect(held.stderr).toContain('must use either propagation mode "rslave" or "rshared"');
  });
});

describe("mounts of an image", () => {
  beforeAll(async () => {
    await docker.run(
      "run",
      "--name",
      "linker",
      "busybox",
      "sh",
      "-c",
      "mkdir /part && echo there > /part/f && ln -s /etc /out && ln -s part /in",
    );
    await docker.run("commit", "linker", "cases/mounted:1");
  });
  afterAll(() => docker.try("rmi", "-f", "cases/mounted:1"));
  const mount = (...more: readonly string[]) => ["type=image,src=cases/mounted:1,dst=/i", ...more].join(",");

  test("show its files, or a part of them, and take no writes", async () => {
    const shown = ["sh", "-c", "cat /i/part/f; touch /i/part/g 2>&1; true"];
    const said = await docker.run("run", "--rm", "--mount", mount(), "busybox", ...shown);
    expect(said).toMatch(/^there\n.*Read-only file system$/);
    for (const name of ["part", "in"]) {
      const part = ["--mount", mount(`image-subpath=${name}`), "busybox", "cat", "/i/f"];
      expect(await docker.run("run", "--rm", ...part)).toBe("there");
    }
  });

  test("are copied from, whether or not the container runs", async () => {
    await docker.run("create", "--name", "copied", "--mount", mount("image-subpath=part"), "busybox", "sleep", "300");
    await berth.expect([200], "GET", "/containers/copied/archive?path=/i/f");
    await docker.run("start", "copied");
    await berth.expect([200], "GET", "/containers/copied/archive?path=/i/f");
    await docker.run("rm", "-f", "copied");
  });

  test("do not follow a link to the host", async () => {
    const outside = await docker.try("run", "--rm", "--mount", mount("image-subpath=out"), "busybox", "ls", "/i");
    expect(outside.code).not.toBe(0);
    expect(outside.stdout).toBe("");
    expect(outside.stderr).toContain("path concatenation escapes the base directory");
  });

  test("keep the image for the next start, and let it go with the container", async () => {
    await docker.run("run", "--name", "mounting", "--mount", mount(), "busybox", "cat", "/i/part/f");
    const used = await docker.try("rmi", "cases/mounted:1");
    expect(used.stderr).toContain("is using its referenced image");
    await docker.run("rmi", "-f", "cases/mounted:1");
    expect(await docker.run("start", "-a", "mounting")).toBe("there");
    const { json } = await berth.expect([200], "GET", "/containers/mounting/json");
    expect(json.Mounts).toMatchObject([{ Type: "image", Name: "cases/mounted:1", Destination: "/i", RW: false }]);
    await docker.run("rm", "mounting");
  });

  test("name an image that is there", async () => {
    const HostConfig = { Mounts: [{ Type: "image", Source: "nope", Target: "/i" }] };
    const { json } = await berth.expect([404], "POST", "/containers/create", { Image: "busybox", HostConfig });
    expect(json.message).toBe("No such image: nope:latest");
  });
});

test("a part of a volume is found through links that stay in it, filled, and refused in dockerd's words", async () => {
  const volume = `${NETWORK}-linked`;
  const script = "cd /v && mkdir part bin && touch part/inner && ln -s part in && ln -s / root";
  await docker.run("run", "--rm", "-v", `${volume}:/v`, "busybox", "sh", "-c", script);
  const at = (part: string, target = "/d") => [
    "--mount",
    `type=volume,src=${volume},dst=${target},volume-subpath=${part}`,
  ];
  expect(await docker.run("run", "--rm", ...at("in"), "busybox", "ls", "/d")).toBe("inner");
  expect(await docker.run("run", "--rm", ...at("bin", "/bin"), "busybox", "ls", "/bin/busybox")).toBe("/bin/busybox");
  // The CLI's exit codes, which it finds in dockerd's words.
  for (const [part, code, words] of [
    ["root", 125, "path concatenation escapes the base directory"],
    ["nope", 127, "cannot access path"],
  ] as const) {
    const refused = await docker.try("run", "--rm", ...at(part), "busybox", "ls", "/d");
    expect(refused).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(words) });
  }
  await docker.run("volume", "rm", volume);
});

test("a part of a volume is all that a copy sees", async () => {
  const volume = `${NETWORK}-parts`;
  const script = "mkdir /v/part; touch /v/part/inner /v/outer";
  await docker.run("run", "--rm", "-v", `${volume}:/v`, "busybox", "sh", "-c", script);
  const part = ["--mount", `type=volume,src=${volume},dst=/d,volume-subpath=part`];
  await docker.run("create", "--name", "partly", ...part, "busybox", "true");
  await berth.expect([200], "GET", "/containers/partly/archive?path=/d/inner");
  await berth.expect([404], "GET", "/containers/partly/archive?path=/d/outer");
  await docker.run("rm", "partly");
  await docker.run("volume", "rm", volume);
});

test("the ports of a container on internal networks alone are not shown", async () => {
  const options = ["--network", INTERNAL, "-p", "127.0.0.1::80", "--expose", "81"];
  await docker.run("run", "-d", "--name", "inner", ...options, "busybox", "sleep", "300");
  const { json } = await berth.expect([200], "GET", "/containers/inner/json");
  expect(json.NetworkSettings.Ports).toEqual({});
  expect(await docker.run("ps", "--filter", "name=inner", "--format", "{{.Ports}}")).toBe("");
});

test("a health check's execs are events", async () => {
  const since = Math.floor(Date.now() / 1000);
  const check = ["--health-cmd", "exit 0", "--health-interval", "100ms"];
  await docker.run("run", "-d", "--name", "checked", ...check, "busybox", "sleep", "300");
  await expect
    .poll(() => docker.run("inspect", "-f", "{{.State.Health.Status}}", "checked"), { timeout: 30_000 })
    .toBe("healthy");
  await docker.run("rm", "-f", "checked");
  const window = ["--since", String(since), "--until", String(Math.ceil(Date.now() / 1000))];
  const seen = await docker.run("events", ...window, "--filter", "container=checked", "--format", "{{.Action}}");
  expect(seen.split("\n")).toEqual(
    expect.arrayContaining(["exec_create: /bin/sh -c exit 0", "exec_start: /bin/sh -c exit 0", "exec_die"]),
  );
});

describe("words that clients look for", () => {
  beforeAll(() => docker.run("create", "--name", "worded", "busybox"));

  test.each([
    ["GET", "/containers/worded/archive?path=/etc/passwd/", "not a directory"],
    ["DELETE", "/images/%20", "image name cannot be blank"],
  ])("%s %s says %s", async (method, path, words) => {
    const { json } = await berth.expect([400], method, path);
    expect(json.message).toContain(words);
  });

  test("a body that is no JSON is refused in Go's words", async () => {
    const head = "POST /containers/create HTTP/1.1\r\nHost: docker\r\nConnection: close";
    const answer = await exchange(`${head}\r\nContent-Type: application/json\r\nContent-Length: 8\r\n\r\n{invalid`);
    expect(answer).toContain("invalid character 'i' looking for beginning of object key string");
  });

  test("a health check that takes too long says how long that is", async () => {
    const check = ["--health-cmd", "sleep 30", "--health-interval", "100ms", "--health-timeout", "50ms"];
    await docker.run("run", "-d", "--name", "slow", ...check, "busybox", "sleep", "300");
    const said = () => docker.run("inspect", "-f", "{{range .State.Health.Log}}{{println .Output}}{{end}}", "slow");
    await expect.poll(said, { timeout: 30_000 }).toContain("Health check exceeded timeout (50ms)\n");
    await docker.run("rm", "-f", "slow");
  });
});

test("a pull refuses a platform that is none before it asks a registry", async () => {
  const { json } = await berth.expect([400], "POST", "/images/create?fromImage=busybox&tag=latest&platform=foobar");
  expect(json.message).toContain("unknown operating system or architecture");
});

describe("lists and images", () => {
  test("`since` alone lists running containers only", async () => {
    await docker.run("create", "--name", "first", "busybox");
    await docker.run("create", "--name", "second", "busybox");
    expect(await docker.run("ps", "-q", "-f", "since=first")).toBe("");
    expect(await docker.run("ps", "-aq", "-f", "since=first", "-f", "name=second")).not.toBe("");
  });

  test("a saved image's configuration is where Docker 25 and later put it (Ansible's docker_image)", async () => {
    const id = await docker.run("inspect", "-f", "{{.Id}}", "--type", "image", "busybox");
    const { text } = await berth.expect([200], "GET", "/images/busybox/get");
    expect(text).toContain(`"Config":"blobs/sha256/${id.slice("sha256:".length)}"`);
  });

  test("an image tells when it was tagged", async () => {
    const before = Date.now() - 1000;
    await docker.run("tag", "busybox", "cases/tagged:1");
    const { json } = await berth.expect([200], "GET", "/images/cases/tagged:1/json");
    expect(Date.parse(json.Metadata.LastTagTime)).toBeGreaterThan(before);
    await docker.run("rmi", "cases/tagged:1");
  });
});
