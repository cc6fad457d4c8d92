import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT, removeEmptyGroups, removeGroup } from "../apps/container/src/host/control-groups.ts";
import { busyboxImage } from "../tools/busybox-image.mjs";
import { type ControlPlane, kubernetesProgram } from "../tools/kubernetes.testing.ts";

/** Where a kubelet puts the control groups of all Pods. */
const PODS_GROUP = "kubepods";

/** The image that the kubelet has without any registry. */
export const SLEEPER = "place.local/sleeper:1";
const SYSCTLS = {
  "vm/overcommit_memory": "1",
  "vm/panic_on_oom": "0",
  "kernel/panic": "10",
  "kernel/panic_on_oops": "1",
  "kernel/keys/root_maxkeys": "1000000",
  "kernel/keys/root_maxbytes": "25000000",
};

/**
 * A real kubelet as a Node, on a containerd of its own. It runs in a mount namespace where the sysctls that it writes are plain files, so
 * that this machine's stay as they are.
 */
export class Kubelet {
  readonly #folder: string;
  readonly #plane: ControlPlane;
  readonly #node: string;
  #process: ChildProcess | undefined;

  private constructor(folder: string, plane: ControlPlane, node: string) {
    this.#folder = folder;
    this.#plane = plane;
    this.#node = node;
  }

  /** Starts it and waits until the Node is ready. Throws where this machine is a Node already, whose control groups it would take. */
  static async start(plane: ControlPlane, node: string): Promise<Kubelet> {
    await removeEmptyGroups(PODS_GROUP);
    if ([ROOT, join(ROOT, "memory")].some((folder) => existsSync(join(folder, PODS_GROUP))))
      throw new Error(`Pods run on this machine: the control group ${PODS_GROUP} has processes`);
    const kubelet = new Kubelet(await mkdtemp(join(tmpdir(), "berth-kubelet-")), plane, node);
    try {
      await kubelet.#writeFiles();
      kubelet.#run();
      await kubelet.#ready();
      return kubelet;
    } catch (fault) {
      await kubelet.close();
      throw fault;
    }
  }

  async close(): Promise<void> {
    const running = this.#process;
    if (running?.pid !== undefined && running.exitCode === null) {
      const ended = once(running, "exit");
      process.kill(-running.pid, "SIGKILL");
      await ended;
    }
    // With what the shims left.
    await removeGroup(PODS_GROUP);
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #ready(): Promise<void> {
    for (;;) {
      if (this.#process?.exitCode !== null) throw new Error(`the kubelet ended: see ${this.#folder}/kubelet.log`);
      const waited = await this.#plane
        .kubectl("wait", "--for=condition=Ready", `node/${this.#node}`, "--timeout=5s")
        .catch(() => undefined);
      if (waited !== undefined) return;
    }
  }

  async #writeFiles(): Promise<void> {
    const at = (name: string) => join(this.#folder, name);
    for (const [name, value] of Object.entries(SYSCTLS)) {
      const file = at(join("sysctls", name));
      await mkdir(join(file, ".."), { recursive: true });
      await writeFile(file, `${value}\n`);
    }
    await mkdir(at("cni"));
    await writeFile(
      at("cni/10-lo.conflist"),
      JSON.stringify({ cniVersion: "0.4.0", name: "lo", plugins: [{ type: "loopback" }] }),
    );
    await writeFile(at("sleeper.tar"), busyboxImage({ tags: [SLEEPER], command: ["sleep", "2147483647"] }));
    const kubelet = {
      ...{ apiVersion: "kubelet.config.k8s.io/v1beta1", kind: "KubeletConfiguration" },
      authentication: { anonymous: { enabled: false }, webhook: { enabled: false } },
      ...{
        authorization: { mode: "AlwaysAllow" },
        address: "127.0.0.1",
        port: 21_250,
        readOnlyPort: 0,
        healthzPort: 0,
      },
      ...{ cgroupDriver: "cgroupfs", failSwapOn: false, enforceNodeAllocatable: [], protectKernelDefaults: false },
      ...{
        makeIPTablesUtilChains: false,
        imageGCHighThresholdPercent: 100,
        evictionHard: { "memory.available": "50Mi" },
      },
    };
    await writeFile(at("kubelet.json"), JSON.stringify(kubelet));
    await writeFile(
      at("containerd.toml"),
      `version = 2
root = "${at("containerd/root")}"
state = "${at("containerd/state")}"
[grpc]
  address = "${at("containerd.sock")}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${SLEEPER}"
  restrict_oom_score_adj = true
  disable_tcp_service = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${at("cni")}"
`,
    );
    const socket = `unix://${at("containerd.sock")}`;
    const binds = Object.keys(SYSCTLS).map((name) => `mount --bind ${at(`sysctls/${name}`)} /proc/sys/${name}`);
    await writeFile(
      at("run.sh"),
      `set -e
${binds.join("\n")}
mount --make-rshared /
containerd -c ${at("containerd.toml")} >${at("containerd.log")} 2>&1 &
until ctr -a ${at("containerd.sock")} version >/dev/null 2>&1; do sleep 0.1; done
ctr -a ${at("containerd.sock")} -n k8s.io images import ${at("sleeper.tar")}
exec ${kubernetesProgram("kubelet")} --config=${at("kubelet.json")} --kubeconfig=${this.#plane.kubeconfig("admin")} \\
  --root-dir=${at("kubelet")} --cert-dir=${at("certs")} --container-runtime=remote --container-runtime-endpoint=${socket} \\
  --image-service-endpoint=${socket} --pod-infra-container-image=${SLEEPER} --hostname-override=${this.#node} --node-ip=127.0.0.1 \\
  --runtime-cgroups=/
`,
    );
  }

  #run(): void {
    const log = openSync(join(this.#folder, "kubelet.log"), "a");
    this.#process = spawn("unshare", ["--mount", "--propagation", "slave", "bash", join(this.#folder, "run.sh")], {
      ...{ stdio: ["ignore", log, log], detached: true },
    });
  }
}
