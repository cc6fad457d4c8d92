// What a start costs without an engine: runc alone, and containerd with its shim, each with the bundle of a container of Berth's and in that
// container's network, which are ready.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ask } from "../../scripts/ask.mjs";

const SERVER = ["httpd", "-f", "-p", "80", "-h", "/etc"];

/** Makes a container of Berth's whose bundle the rounds copy. */
export async function openFloor({ socket }, folder, image) {
  const call = async (method, path, json) => {
    const answer = await ask(`unix:${socket}`, { method, path: `/v1.41${path}`, json });
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  const { Id } = await call("POST", "/containers/create", { Image: image, Cmd: ["sleep", "100000"] });
  await call("POST", `/containers/${Id}/start`);
  const address = (await call("GET", `/containers/${Id}/json`)).NetworkSettings.IPAddress;
  const run = join(folder, "berth/run");
  const tasks = join(run, "containerd/io.containerd.runtime.v2.task");
  const bundle = readdirSync(tasks).map((instance) => join(tasks, instance, Id))[0];
  const copy = join(folder, "floor");
  mkdirSync(copy);
  const spec = JSON.parse(readFileSync(join(bundle, "config.json"), "utf8"));
  spec.root.path = join(bundle, "rootfs");
  spec.process.args = SERVER;
  spec.linux.cgroupsPath = `${spec.linux.cgroupsPath}/../floor`;
  writeFileSync(join(copy, "config.json"), JSON.stringify(spec));
  const ctr = (...args) =>
    execFileSync("ctr", ["--address", join(run, "containerd.sock"), "--namespace", "bench-floor", ...args], {
      stdio: "ignore",
    });

  const until = async (begin) => {
    for (;;) {
      const answer = await ask(`http://${address}/hostname`, { timeout: 5000 }).catch(() => undefined);
      if (answer?.status === 200) return performance.now() - begin;
      await pause(1);
    }
  };
  return {
    runc: async () => {
      const begin = performance.now();
      const child = spawn("runc", ["run", "--bundle", copy, "bench-floor"], { stdio: "ignore" });
      const ended = once(child, "exit");
      const up = await until(begin);
      execFileSync("runc", ["kill", "bench-floor", "KILL"]);
      await ended;
      return up;
    },
    ctr: async () => {
      const begin = performance.now();
      const child = spawn(
        "ctr",
        [
          ...["--address", join(run, "containerd.sock"), "--namespace", "bench-floor"],
          ...["run", "--detach", "--config", join(copy, "config.json"), "floor"],
        ],
        { stdio: "ignore" },
      );
      const up = await until(begin);
      if (child.exitCode === null) await once(child, "exit");
      ctr("task", "rm", "--force", "floor");
      ctr("container", "rm", "floor");
      return up;
    },
    close: () => call("DELETE", `/containers/${Id}?force=true`),
  };
}
