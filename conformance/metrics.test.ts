import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type OtlpReceiver, startOtlpReceiver } from "../packages/service-kit/src/otlp-receiver.testing.ts";
import { type BerthWithDirectory, freePort, startBerthWithDirectory } from "./berth.testing.ts";
import { dockerOf } from "./docker.testing.ts";
import { dockerAs } from "./docker-user.testing.ts";

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

const ROOT = join(import.meta.dirname, "..");
const UNPACKED = join(ROOT, ".cache/prometheus/usr/bin");
/** The value of a container's variable. */
const HIDDEN = "hidden-from-all";
const DASHBOARD = JSON.parse(readFileSync(join(ROOT, "deploy/grafana/berth.json"), "utf8")) as Dashboard;

let berth: BerthWithDirectory;
let prometheus: ChildProcess;
let collector: OtlpReceiver;
let folder: string;
const urls: Record<"container" | "directory" | "prometheus", string> = { container: "", directory: "", prometheus: "" };

function program(name: "prometheus" | "promtool"): string {
  const unpacked = join(UNPACKED, name);
  return existsSync(unpacked) ? unpacked : name;
}

async function metricsOf(service: "container" | "directory"): Promise<string> {
  return await (await fetch(`${urls[service]}/metrics`)).text();
}

/** Does what a dashboard can show: a start, a refusal, a failure. */
async function use(login: string): Promise<void> {
  const json = { login, pass: "a long password nobody guesses" };
  const headers = { authorization: `Bearer ${berth.adminToken}`, "content-type": "application/json" };
  const post = (path: string, body: object) =>
    fetch(`${berth.directoryUrl}/api${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  expect((await post("/users", json)).status).toBe(201);
  const { token } = (await (await post("/login", json)).json()) as { readonly token: string };
  const user = dockerAs(berth.tcp, token);
  try {
    expect(
      (await user.run("run", "-d", "--name", "web", "-p", "80", "-e", `PASSWORD=${HIDDEN}`, "busybox", "sleep", "600"))
        .code,
    ).toBe(0);
    expect((await user.run("run", "-d", "--privileged", "busybox", "true")).stderr).toContain("not granted");
    await user.run("inspect", "nothing");
  } finally {
    user.close();
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "berth-metrics-"));
  const [container, directory, own] = [await freePort(), await freePort(), await freePort()];
  vi.stubEnv("BERTH_METRICS_LISTEN", `127.0.0.1:${container}`);
  vi.stubEnv("BERTH_DIRECTORY_METRICS_LISTEN", `127.0.0.1:${directory}`);
  collector = await startOtlpReceiver();
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url);
  vi.stubEnv("OTEL_BSP_SCHEDULE_DELAY", "200");
  Object.assign(urls, {
    container: `http://127.0.0.1:${container}`,
    directory: `http://127.0.0.1:${directory}`,
    prometheus: `http://127.0.0.1:${own}`,
  });
  berth = await startBerthWithDirectory();
  await writeFile(
    join(folder, "prometheus.yml"),
    JSON.stringify({
      global: { scrape_interval: "500ms", scrape_timeout: "500ms" },
      scrape_configs: [
        { job_name: "berth-container", static_configs: [{ targets: [`127.0.0.1:${container}`] }] },
        { job_name: "berth-directory", static_configs: [{ targets: [`127.0.0.1:${directory}`] }] },
        {
          job_name: "containers",
          docker_sd_configs: [{ host: `unix://${berth.socket}`, refresh_interval: "500ms" }],
          // Found, and not asked.
          relabel_configs: [{ source_labels: ["__meta_docker_container_name"], regex: ".+", action: "drop" }],
        },
      ],
    }),
  );
  const flags = ["--config.file", join(folder, "prometheus.yml"), "--storage.tsdb.path", join(folder, "data")];
  prometheus = spawn(program("prometheus"), [...flags, "--web.listen-address", `127.0.0.1:${own}`], {
    stdio: "ignore",
  });
  await once(prometheus, "spawn");
});

afterAll(async () => {
  if (prometheus?.exitCode === null) {
    prometheus.kill();
    await once(prometheus, "exit");
  }
  await berth?.close();
  await collector?.close();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

it("fills every panel of the dashboard in a real Prometheus", async () => {
  const ask = async (expr: string): Promise<readonly { readonly value: readonly [number, string] }[]> => {
    const query = new URLSearchParams({ query: expr.replaceAll("$__rate_interval", "1m") });
    const answer = await fetch(`${urls.prometheus}/api/v1/query?${query}`).catch(() => undefined);
    if (answer === undefined || answer.status === 503) return [];
    const { status, data, error } = (await answer.json()) as {
      readonly status: string;
      readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] };
      readonly error?: string;
    };
    if (status !== "success") throw new Error(`${expr}: ${error}`);
    return data.result;
  };
  // A rate needs a sample from before.
  await expect.poll(async () => (await ask("up == 1")).length, { timeout: 30_000 }).toBe(2);
  await use("ann");
  // A rate is of what is added to a counter that was there before.
  await expect.poll(async () => (await ask("berth_decisions_total")).length, { timeout: 20_000 }).toBeGreaterThan(0);
  await use("bob");
  for (const { title, targets } of DASHBOARD.panels)
    for (const { expr } of targets)
      await expect
        .poll(async () => (await ask(expr)).filter(({ value }) => value[1] !== "NaN").length, {
          timeout: 20_000,
          message: `${title}: ${expr}`,
        })
        .toBeGreaterThan(0);
});

it.each(["container", "directory"] as const)(
  "promtool finds no fault with the metrics of the %s service",
  async (name) => {
    const text = await metricsOf(name);
    const checking = promisify(execFile)(program("promtool"), ["check", "metrics"]);
    checking.child.stdin?.end(text.replaceAll(/^.*\bnodejs_.*\n/gm, ""));
    expect(await checking).toEqual({ stdout: "", stderr: "" });
  },
);

it("counts what happened, under no name that a client chose", async () => {
  const text = await metricsOf("container");
  expect(text).toContain('berth_containers{state="running"} 2');
  expect(text).toMatch(/^berth_port_leases 4$/m);
  expect(text).toMatch(/^berth_decisions_total\{kind="privileges",outcome="refuse"\} 2$/m);
  expect(text).toMatch(/^berth_start_step_duration_seconds_count\{step="process"\} 2$/m);
  expect(text).toMatch(/route="\/containers\/:\w+\/start",status="204"/);
  expect(text + (await metricsOf("directory"))).not.toMatch(/nothing|ann\b|bob\b|web\b/);
});

it("traces a start with its steps, through both services", async () => {
  const starts = () =>
    collector.spans.filter(
      ({ name, attributes }) => /^POST .*\/start$/.test(name) && attributes["http.response.status_code"] === 204,
    );
  await expect.poll(() => starts().length).toBe(2);
  for (const start of starts()) {
    expect(start).toMatchObject({ service: "berth-container", kind: "server", parentId: "", isError: false });
    const steps = () =>
      collector.spans.filter(({ parentId, kind }) => parentId === start.spanId && kind === "internal");
    await expect
      .poll(() =>
        steps()
          .map(({ name }) => name)
          .sort(),
      )
      .toEqual(["intent", "network", "ports", "process", "publish", "record"].map((step) => `start ${step}`));
    expect(new Set(steps().map(({ traceId }) => traceId))).toEqual(new Set([start.traceId]));
    for (const { attributes, nanoseconds } of steps()) {
      expect(attributes["container.id"]).toMatch(/^[0-9a-f]{64}$/);
      expect(nanoseconds).toBeLessThanOrEqual(start.nanoseconds);
    }
  }
  // Whose token it was is asked in the course of a request to the engine.
  const asked = () =>
    collector.spans.flatMap((span) => {
      if (span.service !== "berth-directory" || span.name !== "GET /api/me") return [];
      const question = collector.spans.find(({ spanId, kind }) => spanId === span.parentId && kind === "client");
      const request = collector.spans.find(({ spanId, kind }) => spanId === question?.parentId && kind === "server");
      return request?.service === "berth-container" && request.traceId === span.traceId ? [request.name] : [];
    });
  await expect.poll(() => asked().length).toBeGreaterThan(0);
  expect(collector.text()).not.toMatch(new RegExp(`${HIDDEN}|bth_|nothing|busybox|\\b(ann|bob|web)\\b`));
});

it("is on no other listener", async () => {
  expect((await berth.ask("GET", "/metrics")).status).toBe(404);
  expect((await fetch(`${berth.directoryUrl}/metrics`)).status).toBe(404);
});

it("lets Prometheus discover containers and their ports", async () => {
  const label = ["--label", "team=shop", "--expose", "81"];
  await dockerOf(berth).run("run", "-d", "--name", "found", ...label, "-p", "127.0.0.1::80", "busybox", "sleep", "600");
  const targets = async () => {
    const answer = await fetch(`${urls.prometheus}/api/v1/targets?state=dropped`);
    const { data } = (await answer.json()) as {
      readonly data: {
        readonly droppedTargets: readonly { readonly discoveredLabels: Readonly<Record<string, string>> }[];
      };
    };
    return data.droppedTargets
      .map(({ discoveredLabels }) => discoveredLabels)
      .filter((labels) => labels.__meta_docker_container_name === "/found")
      .sort((one, other) => Number(one.__meta_docker_port_private) - Number(other.__meta_docker_port_private));
  };
  const common = { __meta_docker_container_label_team: "shop", __meta_docker_network_name: "bridge" };
  await expect.poll(targets, { timeout: 30_000 }).toMatchObject([
    { ...common, __meta_docker_port_private: "80", __meta_docker_port_public_ip: "127.0.0.1" },
    { ...common, __meta_docker_port_private: "81", __address__: expect.stringMatching(/:81$/) },
  ]);
  await dockerOf(berth).run("rm", "-f", "found");
});
