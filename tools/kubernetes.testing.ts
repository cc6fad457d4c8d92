import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, openSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

const CACHE = resolve(import.meta.dirname, "../.cache");
/** Where programs of Kubernetes may be; `scripts/kubernetes.sh` fills those of the cache. */
const FOLDERS = [
  ...(process.env.BERTH_KUBERNETES_BIN === undefined ? [] : [process.env.BERTH_KUBERNETES_BIN]),
  join(CACHE, "kubernetes"),
  join(CACHE, "kubernetes-tools/usr/bin"),
  ...(process.env.PATH ?? "").split(":"),
];
const PROGRAMS = ["etcd", "kube-apiserver", "kube-scheduler", "kube-controller-manager", "kubectl"];

function find(program: string): string | undefined {
  return FOLDERS.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

/** Where a program of Kubernetes is. Throws where `missingKubernetes` says that none is there. */
export function kubernetesProgram(program: string): string {
  const path = find(program);
  if (path === undefined) throw new Error(`${program} is missing`);
  return path;
}

/** Why no control plane can be started, and what helps; undefined if one can. */
export function missingKubernetes(): string | undefined {
  const missing = PROGRAMS.filter((program) => find(program) === undefined);
  if (missing.length === 0) return undefined;
  return `no ${missing.join(", ")}: bash scripts/kubernetes.sh, or name their folder in BERTH_KUBERNETES_BIN`;
}

const READY_MS = 180_000;

/** Users of the API server by the tokens of its file. */
const USERS = {
  admin: { name: "admin", groups: "system:masters" },
  directory: { name: "system:serviceaccount:berth:berth-directory", groups: "system:serviceaccounts" },
} as const;
export type ClusterUser = keyof typeof USERS;

/** etcd, the API server, the scheduler and the controllers of Nodes and Pods, without any Node. */
export class ControlPlane {
  readonly #folder: string;
  readonly #ports: { readonly etcd: number; readonly peers: number; readonly api: number };
  readonly #tokens: Readonly<Record<ClusterUser, string>>;
  readonly #running = new Map<string, ChildProcess>();

  private constructor(folder: string, ports: readonly number[]) {
    this.#folder = folder;
    const [etcd = 0, peers = 0, api = 0] = ports;
    this.#ports = { etcd, peers, api };
    this.#tokens = { admin: randomBytes(16).toString("hex"), directory: randomBytes(16).toString("hex") };
  }

  /**
   * Starts one of its own on free ports of the loopback.
   *
   * @param silence how many seconds a Node may be silent; a real kubelet is heard of every ten.
   */
  static async start({ silence }: { readonly silence: number }): Promise<ControlPlane> {
    const plane = new ControlPlane(await mkdtemp(join(tmpdir(), "berth-kubernetes-")), await freePorts(3));
    try {
      await plane.#writeFiles();
      plane.#startEtcd();
      await plane.startApi();
      plane.startScheduler();
      plane.#startControllers(silence);
      await plane.kubectl("create", "namespace", "berth");
      return plane;
    } catch (fault) {
      await plane.close();
      throw fault;
    }
  }

  /** A kubeconfig with a user's token. */
  kubeconfig(user: ClusterUser): string {
    return join(this.#folder, `${user}.kubeconfig`);
  }

  /** Runs kubectl as its administrator; what it prints. Rejects where it fails. */
  async kubectl(...words: readonly string[]): Promise<string> {
    const arguments_ = ["--kubeconfig", this.kubeconfig("admin"), "--request-timeout=20s", ...words];
    const { stdout } = await promisify(execFile)(kubernetesProgram("kubectl"), arguments_, {
      env: { ...process.env, HOME: this.#folder },
    });
    return stdout;
  }

  /** Starts the API server unless it runs, and waits until it is ready. */
  async startApi(): Promise<void> {
    if (this.#running.has("kube-apiserver")) return;
    const { etcd, api } = this.#ports;
    this.#run("kube-apiserver", [
      ...[`--etcd-servers=http://127.0.0.1:${etcd}`, "--bind-address=127.0.0.1", `--secure-port=${api}`],
      ...[`--cert-dir=${join(this.#folder, "certs")}`, "--service-cluster-ip-range=10.88.0.0/24"],
      ...[
        `--token-auth-file=${join(this.#folder, "tokens.csv")}`,
        "--authorization-mode=RBAC",
        "--anonymous-auth=false",
      ],
      "--service-account-issuer=https://kubernetes.default.svc",
      ...["key-file", "signing-key-file"].map((flag) => `--service-account-${flag}=${join(this.#folder, "sa.key")}`),
      // There are no controllers that would make accounts and their tokens.
      ...["--disable-admission-plugins=ServiceAccount", "--allow-privileged=true"],
    ]);
    const end = Date.now() + READY_MS;
    while (!(await this.#isReady())) {
      if (Date.now() > end) throw new Error(`the API server is not ready: see ${this.#folder}/kube-apiserver.log`);
      await delay(200);
    }
  }

  async stopApi(): Promise<void> {
    await this.#stop("kube-apiserver");
  }

  /** Freezes or thaws the API server: its connections stay open, and nothing answers. */
  freezeApi({ isFrozen }: { readonly isFrozen: boolean }): void {
    this.#running.get("kube-apiserver")?.kill(isFrozen ? "SIGSTOP" : "SIGCONT");
  }

  startScheduler(): void {
    this.#run("kube-scheduler", [
      ...this.#clientFlags(),
      ...["--bind-address=127.0.0.1", "--secure-port=0", "--port=0", "--leader-elect=false"],
    ]);
  }

  async stopScheduler(): Promise<void> {
    await this.#stop("kube-scheduler");
  }

  async close(): Promise<void> {
    this.freezeApi({ isFrozen: false });
    for (const program of [...this.#running.keys()].reverse()) await this.#stop(program);
    await rm(this.#folder, { recursive: true, force: true });
  }

  #startEtcd(): void {
    const { etcd, peers } = this.#ports;
    const [clients, others] = [`http://127.0.0.1:${etcd}`, `http://127.0.0.1:${peers}`];
    this.#run("etcd", [
      ...["--data-dir", join(this.#folder, "etcd"), "--unsafe-no-fsync"],
      ...["--listen-client-urls", clients, "--advertise-client-urls", clients],
      ...[
        "--listen-peer-urls",
        others,
        "--initial-advertise-peer-urls",
        others,
        "--initial-cluster",
        `default=${others}`,
      ],
    ]);
  }

  #startControllers(silence: number): void {
    this.#run("kube-controller-manager", [
      ...this.#clientFlags(),
      ...["--bind-address=127.0.0.1", "--secure-port=0", "--port=0", "--leader-elect=false"],
      "--controllers=nodelifecycle,podgc",
      ...[
        "--node-monitor-period=500ms",
        `--node-monitor-grace-period=${silence}s`,
        `--node-startup-grace-period=${silence}s`,
      ],
      "--node-eviction-rate=10",
    ]);
  }

  #clientFlags(): readonly string[] {
    return [`--kubeconfig=${this.kubeconfig("admin")}`];
  }

  async #writeFiles(): Promise<void> {
    const users = Object.keys(USERS) as ClusterUser[];
    const lines = users.map((user, at) => `${this.#tokens[user]},${USERS[user].name},${at},"${USERS[user].groups}"`);
    await writeFile(join(this.#folder, "tokens.csv"), `${lines.join("\n")}\n`);
    await promisify(execFile)("openssl", ["genrsa", "-out", join(this.#folder, "sa.key"), "2048"]);
    const cluster = {
      server: `https://127.0.0.1:${this.#ports.api}`,
      "certificate-authority": join(this.#folder, "certs/apiserver.crt"),
    };
    for (const user of users) {
      const config = {
        ...{ apiVersion: "v1", kind: "Config", "current-context": "test" },
        clusters: [{ name: "test", cluster }],
        users: [{ name: user, user: { token: this.#tokens[user] } }],
        contexts: [{ name: "test", context: { cluster: "test", user } }],
      };
      // JSON is YAML.
      await writeFile(this.kubeconfig(user), JSON.stringify(config));
    }
  }

  async #isReady(): Promise<boolean> {
    const api = this.#running.get("kube-apiserver");
    if (api?.exitCode !== null) throw new Error(`the API server ended: see ${this.#folder}/kube-apiserver.log`);
    return this.kubectl("get", "--raw", "/readyz").then(
      (text) => text === "ok",
      () => false,
    );
  }

  #run(program: string, flags: readonly string[]): void {
    const log = openSync(join(this.#folder, `${program}.log`), "a");
    const child = spawn(kubernetesProgram(program), flags, { stdio: ["ignore", log, log], cwd: this.#folder });
    this.#running.set(program, child);
  }

  async #stop(program: string): Promise<void> {
    const child = this.#running.get(program);
    this.#running.delete(program);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  }
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { readonly port: number }).port);
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}
