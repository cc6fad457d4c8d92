import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ControlPlane, missingKubernetes } from "../tools/kubernetes.testing.ts";
import { type BerthWithDirectory, startBerthWithDirectory } from "./berth.testing.ts";
import { dockerAs } from "./docker-user.testing.ts";
import { Kubelet, SLEEPER } from "./kubelet.testing.ts";
import { answers } from "./net.testing.ts";
import { addTenant, askDirectory, type Tenant } from "./tenants/tenant.testing.ts";

// One Node with a real kubelet, whose Berth holds the places that Kubernetes puts there.

const COMMAND = join(import.meta.dirname, "../packages/cli/dist/bundle/main.js");
const MANIFEST = join(import.meta.dirname, "../deploy/kubernetes/directory.yaml");
const MEMORY = 256;
const port = 24_900 + (process.pid % 90);
const missing = missingKubernetes();
const NAME = `a Node's Berth${missing === undefined ? "" : ` (${missing})`}`;

describe.skipIf(missing !== undefined)(NAME, { timeout: 180_000 }, () => {
  let plane: ControlPlane;
  let kubelet: Kubelet;
  let berth: BerthWithDirectory;
  let ann: Tenant;

  beforeAll(async () => {
    plane = await ControlPlane.start({ silence: 60 });
    await plane.kubectl("apply", "-f", MANIFEST);
    kubelet = await Kubelet.start(plane, hostname());
    berth = await startBerthWithDirectory(async ({ tcp }) => ({ BERTH_FLEET_ADDRESS: tcp }), {
      BERTH_KUBERNETES_CONFIG: plane.kubeconfig("directory"),
      BERTH_KUBERNETES_IMAGE: SLEEPER,
    });
    ann = await addTenant(berth, "ann", [{ kind: "host-ports", effect: "grant", ports: [{ start: 1, end: 65_535 }] }]);
  }, 300_000);
  afterAll(async () => {
    await berth?.close();
    await kubelet?.close();
    await plane?.close();
  }, 120_000);

  /** Ann's command on a machine without an engine. */
  async function berthAs(user: Tenant, ...words: readonly string[]): Promise<string> {
    const env = {
      PATH: process.env.PATH,
      BERTH_DIRECTORY_URL: berth.directoryUrl,
      BERTH_TOKEN: user.token,
      BERTH_SOCKET: "/none",
    };
    return (await promisify(execFile)(process.execPath, [COMMAND, ...words], { env })).stdout;
  }

  test("runs a place under its Pod's control group, and ends it in order with its Pod", async () => {
    await expect.poll(() => askDirectory(berth, "GET", "/fleet/hosts")).toMatchObject([{ name: hostname() }]);
    const taken = await berthAs(ann, "places", "take", "ci", "--env", "--memory", `${MEMORY}m`, "--port", String(port));
    expect(taken).toContain(`DOCKER_HOST='${berth.tcp}/places/ci'`);
    const docker = dockerAs(`${berth.tcp}/places/ci`, ann.token);
    const [pod] = JSON.parse(await plane.kubectl("-n", "berth", "get", "pods", "-o", "json")).items;
    const web = [
      "-p",
      `${port}:80`,
      "--name",
      "web",
      "--stop-timeout",
      "1",
      "busybox",
      "httpd",
      "-f",
      "-p",
      "80",
      "-h",
      "/etc",
    ];
    expect(await docker.run("run", "-d", ...web)).toMatchObject({ code: 0, stderr: "" });
    expect(await answers(`http://127.0.0.1:${port}/`)).toBe(true);
    const group = `kubepods/pod${pod.metadata.uid}`;
    expect([`/sys/fs/cgroup/memory/${group}`, `/sys/fs/cgroup/${group}`].some((path) => existsSync(path))).toBe(true);
    // The kernel bounds the whole place, not this container alone.
    const hog = await docker.run(
      "run",
      "--name",
      "hog",
      "busybox",
      "sh",
      "-c",
      "dd if=/dev/zero bs=400M count=1 of=/dev/null",
    );
    expect(hog.code).toBe(137);
    expect((await docker.run("inspect", "-f", "{{.State.OOMKilled}}", "hog")).stdout).toBe("true");
    expect(await answers(`http://127.0.0.1:${port}/`)).toBe(true);
    await plane.kubectl("-n", "berth", "delete", "pod", pod.metadata.name, "--wait=false");
    await expect.poll(() => askDirectory(berth, "GET", "/fleet/places"), { timeout: 60_000 }).toEqual([]);
    expect(await answers(`http://127.0.0.1:${port}/`)).toBe(false);
    expect((await docker.run("start", "web")).stderr).toContain("user ann has no place ci on this host");
    const left = async () => JSON.parse(await plane.kubectl("-n", "berth", "get", "pods", "-o", "json")).items;
    await expect.poll(left, { timeout: 60_000 }).toEqual([]);
    docker.close();
  });
});
