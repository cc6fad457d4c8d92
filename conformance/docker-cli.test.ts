import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Berth, freePort, startBerth } from "./berth.testing.ts";
import { type Docker, dockerOf } from "./docker.testing.ts";
import { answers, echoed, page } from "./net.testing.ts";

let berth: Berth;
let docker: Docker;
const folder = mkdtempSync(join(tmpdir(), "berth-cli-"));
const echo = join(folder, "udp-echo");
const serve = (text: string) => [
  "sh",
  "-c",
  `mkdir -p /www && echo ${text} > /www/index.html && exec httpd -f -p 80 -h /www`,
];

beforeAll(async () => {
  execFileSync("gcc", ["-O2", "-static", "-o", echo, join(import.meta.dirname, "udp-echo.c")]);
  berth = await startBerth();
  docker = dockerOf(berth);
});
afterAll(async () => {
  await berth?.close();
  rmSync(folder, { recursive: true });
});
afterEach(async () => {
  const ids = await docker.run("ps", "-aq");
  if (ids !== "") await docker.run("rm", "-f", ...ids.split("\n"));
});

describe("docker run", () => {
  test("-d -p HOST:CONTAINER: the port answers on every interface's address", async () => {
    const port = await freePort();
    const id = await docker.run("run", "-d", "--name", "web", "-p", `${port}:80`, "busybox", ...serve("hello-berth"));
    expect(id).toMatch(/^[0-9a-f]{64}$/);
    expect(await page(`http://127.0.0.1:${port}/`)).toBe("hello-berth\n");
    expect(await page(`http://127.0.0.2:${port}/`)).toBe("hello-berth\n");
    expect(await docker.run("port", "web", "80/tcp")).toContain(`0.0.0.0:${port}`);
    await docker.run("rm", "-f", "web");
    expect(await answers(`http://127.0.0.1:${port}/`)).toBe(false);
  });

  test("-P publishes every exposed port on a port of its own", async () => {
    await docker.run(
      "run",
      "-d",
      "--name",
      "all",
      "-P",
      "--expose",
      "80",
      "--expose",
      "81/udp",
      "busybox",
      ...serve("all"),
    );
    const lines = (await docker.run("port", "all")).split("\n").filter((line) => !line.includes("[::]"));
    expect(lines).toEqual([
      expect.stringMatching(/^80\/tcp -> 0\.0\.0\.0:\d+$/),
      expect.stringMatching(/^81\/udp -> 0\.0\.0\.0:\d+$/),
    ]);
    const port = lines[0]?.split(":").at(-1);
    expect(await page(`http://127.0.0.1:${port}/`)).toBe("all\n");
  });

  test("-p 127.0.0.1::80/udp: a dynamic port of one interface carries datagrams both ways", async () => {
    await docker.run(
      "run",
      "-d",
      "--name",
      "udp",
      "-p",
      "127.0.0.1::80/udp",
      "-v",
      `${echo}:/echo:ro`,
      "busybox",
      "/echo",
      "80",
    );
    const shown = await docker.run("port", "udp", "80/udp");
    expect(shown).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(await echoed(Number(shown.split(":").at(-1)), "ping")).toBe("ping");
  });

  test("-p with a host range takes its first free port", async () => {
    const first = await freePort();
    const range = `127.0.0.1:${first}-${first + 9}:80`;
    await docker.run("run", "-d", "--name", "one", "-p", range, "busybox", "sleep", "60");
    await docker.run("run", "-d", "--name", "two", "-p", range, "busybox", "sleep", "60");
    const [one, two] = await Promise.all(
      ["one", "two"].map(async (name) => Number((await docker.run("port", name, "80")).split(":").at(-1))),
    );
    expect(one).toBe(first);
    expect(two).toBeGreaterThan(first);
  });

  test("-p 3000-3002:80-82 publishes each port of a range to its own", async () => {
    const first = 24000 + (process.pid % 1000) * 3;
    await docker.run(
      "run",
      "-d",
      "--name",
      "range",
      "-p",
      `127.0.0.1:${first}-${first + 2}:80-82`,
      "busybox",
      ...serve("range"),
    );
    expect(await docker.run("port", "range")).toBe(
      [0, 1, 2].map((n) => `${80 + n}/tcp -> 127.0.0.1:${first + n}`).join("\n"),
    );
    expect(await page(`http://127.0.0.1:${first}/`)).toBe("range\n");
  });

  test("--rm gives the output and the exit code, and leaves no container", async () => {
    const ran = await docker.try("run", "--rm", "busybox", "sh", "-c", "echo out; echo err >&2; exit 7");
    expect(ran).toEqual({ code: 7, stdout: "out\n", stderr: "err\n" });
    expect(await docker.run("ps", "-aq")).toBe("");
  });

  test("--rm -i passes standard input to the end", async () => {
    const running = docker.start("run", "--rm", "-i", "busybox", "sh", "-c", "cat; echo done");
    running.write("first\n");
    expect(await running.prints("first")).toBe("first\n");
    running.kill();
    await running.ended;
  });

  test("--rm -it is a terminal of the window's size that a person can type into", async () => {
    const shell = docker.atTerminal("stty rows 33 cols 99; docker run --rm -it busybox sh");
    await shell.prints("/ #");
    shell.write("stty size; tty; echo $((6*7))\n");
    const shown = await shell.prints("42");
    expect(shown).toContain("33 99");
    expect(shown).toContain("/dev/pts/0");
    shell.write("exit 5\n");
    expect((await shell.ended).code).toBe(5);
    expect(await docker.run("ps", "-aq")).toBe("");
  });

  test("-e -w -u --hostname --tmpfs -v reach the process", async () => {
    writeFileSync(join(folder, "given.txt"), "given\n");
    const options = ["-e", "WORD=berth", "-w", "/tmp", "-u", "1000:1000", "--hostname", "quay", "--tmpfs", "/scratch"];
    const { stdout } = await docker.try(
      ...["run", "--rm", ...options, "-v", `${folder}:/shared:ro`, "busybox", "sh", "-c"],
      "echo $WORD; pwd; id -u; hostname; grep -c /scratch /proc/mounts; cat /shared/given.txt; touch /shared/x 2>/dev/null || echo read-only",
    );
    expect(stdout).toBe("berth\n/tmp\n1000\nquay\n1\ngiven\nread-only\n");
  });

  test("limits of memory and processes are the kernel's", async () => {
    const shown = await docker.run(
      ...["run", "--rm", "-m", "64m", "--pids-limit", "40", "busybox", "sh", "-c"],
      "cat /sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/memory.max 2>/dev/null; cat /sys/fs/cgroup/pids/pids.max /sys/fs/cgroup/pids.max 2>/dev/null; true",
    );
    expect(shown.split("\n")).toEqual([String(64 * 1024 * 1024), "40"]);
  });

  test("an unknown image and a missing program are Docker's errors with its exit codes", async () => {
    const program = await docker.try("run", "--rm", "busybox", "no-such-program");
    expect(program.code).toBe(127);
    expect(program.stderr).toContain("no-such-program");
    const image = await docker.try("run", "--rm", "--pull", "never", "no-such-image");
    expect(image.code).toBe(125);
    expect(image.stderr).toContain("No such image: no-such-image:latest");
  });
});

describe("looking at containers", () => {
  test("ps shows bound ports with their arrow and unbound ones bare", async () => {
    const port = await freePort();
    await docker.run(
      "run",
      "-d",
      "--name",
      "shown",
      "-p",
      `127.0.0.1:${port}:80`,
      "--expose",
      "443",
      "busybox",
      "sleep",
      "60",
    );
    expect(await docker.run("ps", "--format", "{{.Names}} {{.Image}} {{.State}} {{.Ports}}")).toBe(
      `shown busybox running 443/tcp, 127.0.0.1:${port}->80/tcp`,
    );
    expect(await docker.run("ps", "--format", "{{.Status}}")).toMatch(/^Up /);
  });

  test("inspect tells address, gateway and ports with null where unbound", async () => {
    const port = await freePort();
    await docker.run(
      "run",
      "-d",
      "--name",
      "seen",
      "-p",
      `127.0.0.1:${port}:80`,
      "--expose",
      "443",
      "busybox",
      "sleep",
      "60",
    );
    const [seen] = JSON.parse(await docker.run("inspect", "seen"));
    const network = seen.NetworkSettings;
    expect(network.IPAddress).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
    expect(Number.isInteger(network.IPPrefixLen)).toBe(true);
    expect(network.Gateway).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
    expect(network).toHaveProperty("Bridge");
    expect(network.Ports).toEqual({ "80/tcp": [{ HostIp: "127.0.0.1", HostPort: String(port) }], "443/tcp": null });
    expect(network.Networks.bridge.IPAddress).toBe(network.IPAddress);
    expect(seen).toMatchObject({ Name: "/seen", State: { Status: "running", Running: true, ExitCode: 0 } });
    expect(seen.State.Pid).toBeGreaterThan(0);
    expect(seen.Config.ExposedPorts).toEqual({ "80/tcp": {}, "443/tcp": {} });
    // The address is the container's own: what it serves answers there too.
    expect(await docker.run("exec", "seen", "sh", "-c", "ip -4 -o addr show dev eth0")).toContain(
      `${network.IPAddress}/${network.IPPrefixLen}`,
    );
  });

  test("logs gives both streams; -f goes on until the container ends", async () => {
    await docker.run(
      "run",
      "-d",
      "--name",
      "talk",
      "busybox",
      "sh",
      "-c",
      "echo one; echo two >&2; sleep 0.5; echo three; exit 4",
    );
    const follow = docker.start("logs", "-f", "talk");
    await follow.prints("three");
    expect(await follow.ended).toEqual({ code: 0, stdout: "one\nthree\n", stderr: "two\n" });
    expect(await docker.run("wait", "talk")).toBe("4");
    expect((await docker.try("logs", "--tail", "1", "talk")).stdout).toBe("three\n");
    expect((await docker.try("logs", "-t", "talk")).stdout).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z one\n/);
  });

  test("events tells what happens", async () => {
    const since = String(Date.now() / 1000);
    const events = docker.start("events", "--since", since, "--format", "{{.Type}} {{.Action}}");
    await docker.run("run", "--rm", "busybox", "true");
    const shown = await events.prints("container destroy");
    for (const action of ["create", "start", "die"]) expect(shown).toContain(`container ${action}`);
    events.kill();
    await events.ended;
  });

  test("version and info name Berth's API", async () => {
    expect(
      await docker.run("version", "--format", "{{.Server.Version}} {{.Server.APIVersion}} {{.Server.Os}}"),
    ).toMatch(/^\S+ 1\.\d+ linux$/);
    await docker.run("run", "-d", "busybox", "sleep", "60");
    expect(await docker.run("info", "--format", "{{.ContainersRunning}} {{.Images}} {{.OSType}}")).toBe("1 1 linux");
  });
});

describe("acting on containers", () => {
  test("exec gives output and exit code, and -it a terminal", async () => {
    await docker.run("run", "-d", "--name", "host", "busybox", "sleep", "60");
    expect(
      await docker.try("exec", "-e", "A=b", "-w", "/bin", "host", "sh", "-c", "echo $A; pwd; echo e >&2; exit 9"),
    ).toEqual({
      code: 9,
      stdout: "b\n/bin\n",
      stderr: "e\n",
    });
    const shell = docker.atTerminal("stty rows 20 cols 70; docker exec -it host sh");
    await shell.prints("/ #");
    shell.write("stty size; echo $((40+2))\n");
    expect(await shell.prints("42")).toContain("20 70");
    shell.write("exit 3\n");
    expect((await shell.ended).code).toBe(3);
    expect(await docker.run("ps", "--format", "{{.Names}}")).toBe("host");
  });

  test("attach joins the output, and the detach keys leave the container running", async () => {
    await docker.run("run", "-dit", "--name", "joined", "busybox", "sh");
    const attached = docker.atTerminal("docker attach joined");
    attached.write("\necho $((20+3))\n");
    await attached.prints("23");
    attached.write("\x10\x11");
    await attached.ended;
    expect(await docker.run("ps", "--format", "{{.Names}}")).toBe("joined");
  });

  test("stop ends it, start begins anew with the same port, restart goes on, kill is 137", async () => {
    const port = await freePort();
    await docker.run("run", "-d", "--name", "cycle", "-p", `127.0.0.1:${port}:80`, "busybox", ...serve("cycle"));
    await page(`http://127.0.0.1:${port}/`);
    await docker.run("stop", "-t", "1", "cycle");
    expect(await docker.run("inspect", "-f", "{{.State.Status}} {{json .NetworkSettings.Ports}}", "cycle")).toBe(
      "exited {}",
    );
    expect(await answers(`http://127.0.0.1:${port}/`)).toBe(false);
    await docker.run("start", "cycle");
    expect(await page(`http://127.0.0.1:${port}/`)).toBe("cycle\n");
    await docker.run("restart", "-t", "1", "cycle");
    expect(await page(`http://127.0.0.1:${port}/`)).toBe("cycle\n");
    await docker.run("kill", "cycle");
    expect(await docker.run("inspect", "-f", "{{.State.ExitCode}}", "cycle")).toBe("137");
    expect(await docker.run("wait", "cycle")).toBe("137");
  });

  test("rm refuses a running container, and -f takes it", async () => {
    await docker.run("run", "-d", "--name", "kept", "busybox", "sleep", "60");
    const refused = await docker.try("rm", "kept");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/cannot remove .*container is running/);
    await docker.run("rm", "-f", "kept");
    expect(await docker.run("ps", "-a", "--format", "{{.Names}}")).toBe("");
  });
});

describe("images", () => {
  test("tag, images, inspect, import and rmi", async () => {
    await docker.run("tag", "busybox", "berth/other:1");
    expect((await docker.run("images", "--format", "{{.Repository}}:{{.Tag}}")).split("\n").sort()).toEqual([
      "berth/other:1",
      "busybox:latest",
    ]);
    expect(await docker.run("image", "inspect", "-f", "{{.Os}} {{.Id}}", "berth/other:1")).toMatch(
      /^linux sha256:[0-9a-f]{64}$/,
    );
    expect(await docker.run("rmi", "berth/other:1")).toBe("Untagged: berth/other:1");
    const tar = join(folder, "root.tar");
    execFileSync("sh", [
      "-c",
      `mkdir -p ${folder}/root/bin && cp "$(command -v busybox)" ${folder}/root/bin/sh && tar -C ${folder}/root -cf ${tar} .`,
    ]);
    expect(await docker.run("import", tar, "imported:1")).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(await docker.run("run", "--rm", "imported:1", "/bin/sh", "-c", "echo alive")).toBe("alive");
    await docker.run("rmi", "imported:1");
    expect(await docker.run("images", "-q", "imported")).toBe("");
  });
});
