import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { freePort, type OwnBerth, startBerth } from "./berth.testing.ts";
import { type Docker, dockerOf } from "./docker.testing.ts";
import { foreignListener, page } from "./net.testing.ts";

let berth: OwnBerth;
let docker: Docker;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "berth-restart-"));
  berth = await startBerth();
  docker = dockerOf(berth);
});
afterAll(async () => {
  await berth?.close();
  rmSync(folder, { recursive: true });
});

async function shown(name: string, format: string) {
  return docker.run("inspect", "-f", format, name);
}

test("a second service on the same state is refused, and the first goes on", async () => {
  await docker.run("run", "-d", "--name", "kept", "busybox", "sleep", "600");
  const pid = await shown("kept", "{{.State.Pid}}");
  const said = await berth.another();
  expect(said).toContain("is in use: a container service runs on it already");
  expect(said).toContain(`(process ${berth.container.pid})`);
  expect(await shown("kept", "{{.State.Status}} {{.State.Pid}}")).toBe(`running ${pid}`);
  await docker.run("rm", "-f", "kept");
});

describe.each(["SIGTERM", "SIGKILL"] as const)("the container service ended by %s", (signal) => {
  const names = { web: `web-${signal}`, ends: `ends-${signal}`, fast: `fast-${signal}`, stopped: `stopped-${signal}` };
  let port: number;
  let before: { pid: string; id: string; address: string };

  beforeAll(async () => {
    port = await freePort();
    await docker.run(
      ...["run", "-d", "--name", names.web, "-p", `127.0.0.1:${port}:80`, "busybox", "sh", "-c"],
      `mkdir /www && echo ${signal} > /www/index.html; httpd -p 80 -h /www; n=0; while true; do echo tick $n; n=$((n+1)); sleep 0.1; done`,
    );
    await docker.run(
      "run",
      "-d",
      "--name",
      names.ends,
      "busybox",
      "sh",
      "-c",
      "while [ ! -e /end ]; do sleep 0.05; done; echo last words; exit 23",
    );
    await docker.run("run", "-d", "--name", names.stopped, "busybox", "sh", "-c", "echo was here; exit 5");
    await docker.run("wait", names.stopped);
    await page(`http://127.0.0.1:${port}/`);
    before = {
      pid: await shown(names.web, "{{.State.Pid}}"),
      id: await shown(names.web, "{{.Id}}"),
      address: await shown(names.web, "{{.NetworkSettings.IPAddress}}"),
    };
    const pid = await shown(names.ends, "{{.State.Pid}}");
    writeFileSync(join(folder, signal), signal);
    for (const name of [names.web, names.stopped]) await docker.run("cp", join(folder, signal), `${name}:/tmp/copied`);
    await berth.container.end(signal);

    // While nobody watches: the page still answers, and one container ends.
    expect(await page(`http://127.0.0.1:${port}/`)).toBe(`${signal}\n`);
    writeFileSync(`/proc/${pid}/root/end`, "");
    await vi.waitUntil(() => !alive(Number(pid)), { timeout: 10_000 });
    await berth.container.start();
  });

  test("leaves the container running as the same process, with its address and its page", async () => {
    expect(await shown(names.web, "{{.State.Status}} {{.State.Pid}} {{.Id}} {{.NetworkSettings.IPAddress}}")).toBe(
      `running ${before.pid} ${before.id} ${before.address}`,
    );
    expect(await shown(names.web, "{{json .NetworkSettings.Ports}}")).toBe(
      `{"80/tcp":[{"HostIp":"127.0.0.1","HostPort":"${port}"}]}`,
    );
    expect(await page(`http://127.0.0.1:${port}/`)).toBe(`${signal}\n`);
  });

  test("holds its port against other programs again", async () => {
    await expect(foreignListener("127.0.0.1", port)).rejects.toThrow("EADDRINUSE");
  });

  test("has lost no line of the log, and follows on", async () => {
    const follow = docker.start("logs", "-f", names.web);
    const sofar = (await docker.try("logs", names.web)).stdout.trim().split("\n");
    expect(sofar).toEqual(sofar.map((_, n) => `tick ${n}`));
    await follow.prints(`tick ${sofar.length + 3}\n`);
    follow.kill();
    await follow.ended;
  });

  test("tells the exit code and last words of what ended meanwhile", async () => {
    await expect.poll(() => shown(names.ends, "{{.State.Status}}"), { timeout: 10_000 }).toBe("exited");
    expect(await shown(names.ends, "{{.State.ExitCode}}")).toBe("23");
    expect((await docker.try("logs", names.ends)).stdout).toBe("last words\n");
    expect(await docker.run("wait", names.ends)).toBe("23");
  });

  test("still knows what had ended before", async () => {
    expect(await shown(names.stopped, "{{.State.Status}} {{.State.ExitCode}}")).toBe("exited 5");
    expect((await docker.try("logs", names.stopped)).stdout).toBe("was here\n");
  });

  test("has what was copied into a container that ran, and into one that did not", async () => {
    for (const name of [names.web, names.stopped]) {
      await docker.run("cp", `${name}:/tmp/copied`, join(folder, name));
      expect(readFileSync(join(folder, name), "utf8")).toBe(signal);
    }
  });

  test("can exec into, stop, start and remove the old container, and its port is free after it", async () => {
    expect(await docker.run("exec", names.web, "cat", "/www/index.html")).toBe(signal);
    await docker.run("stop", "-t", "0", names.web);
    expect(await shown(names.web, "{{.State.Status}} {{.State.ExitCode}}")).toBe("exited 137");
    await docker.run("start", names.web);
    await docker.run("rm", "-f", names.web);
    const mine = await foreignListener("127.0.0.1", port);
    await mine.close();
  });

  test("starts new containers as ever", async () => {
    expect(await docker.run("run", "--rm", "--name", names.fast, "busybox", "echo", "new")).toBe("new");
  });
});

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
