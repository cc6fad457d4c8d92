import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { freePort, removeContainers } from "./berth.testing.ts";
import { dockerOf, serve } from "./docker.testing.ts";
import { answers, page } from "./net.testing.ts";
import { sharedBerth } from "./shared-berth.testing.ts";

const berth = sharedBerth();
const docker = dockerOf(berth);
const folder = mkdtempSync(join(tmpdir(), "berth-cli-"));

afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => removeContainers(berth));

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
    expect(refused.stderr).toMatch(/container is running: stop the container/);
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
