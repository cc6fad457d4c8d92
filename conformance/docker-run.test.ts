import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { freePort, removeContainers } from "./berth.testing.ts";
import { dockerOf, serve } from "./docker.testing.ts";
import { answers, echoed, page, udpClientElsewhere } from "./net.testing.ts";
import { sharedBerth } from "./shared-berth.testing.ts";

const berth = sharedBerth();
const docker = dockerOf(berth);
const folder = mkdtempSync(join(tmpdir(), "berth-cli-"));
const ECHO = join(folder, "udp-echo");

beforeAll(async () => {
  execFileSync("gcc", ["-O2", "-static", "-o", ECHO, join(import.meta.dirname, "udp-echo.c")]);
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => removeContainers(berth));

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
    const lines = (await docker.run("port", "all")).split("\n").filter((line) => line.includes(" -> 0.0.0.0:"));
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
      `${ECHO}:/echo:ro`,
      "busybox",
      "/echo",
      "80",
    );
    const shown = await docker.run("port", "udp", "80/udp");
    expect(shown).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(await echoed(Number(shown.split(":").at(-1)), "ping")).toBe("ping");
  });

  test("-p PORT:80/udp serves a client that was sending before, by its own address, also after a restart", async () => {
    const port = 24_000 + (process.pid % 1_000);
    await using client = await udpClientElsewhere(port, "who");
    await client.sent();
    const echo = ["-v", `${ECHO}:/echo:ro`, "busybox", "/echo", "80"];
    await docker.run("run", "-d", "--name", "late", "-p", `${port}:80/udp`, ...echo);
    await client.hears(client.address);
    await docker.run("restart", "-t", "0", "late");
    await client.hears(client.address);
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

  test("-e -w -u --hostname --tmpfs -v networkScope the process", async () => {
    // The user in the container is another than ours.
    chmodSync(folder, 0o755);
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
