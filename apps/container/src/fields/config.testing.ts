import type { ContainerCreateRequest, HealthConfig } from "@docker/node-sdk";
import { committedConfig } from "../containers/archive/commit.ts";
import { healthCheckOf } from "../containers/records/health.ts";
import type { Seen } from "./probe.testing.ts";
import { does, kept, type RowsOf, warns } from "./row.testing.ts";

const TEST = { Healthcheck: { Test: ["CMD", "probe"] } };

/** The image that a commit of the container makes. */
function committed({ record }: Seen) {
  return committedConfig(record.config, {});
}

/** The fields beside `HostConfig` and `NetworkingConfig`. */
export const CONFIG_ROWS: RowsOf<ContainerCreateRequest, "HostConfig" | "NetworkingConfig" | "Healthcheck"> = {
  Hostname: does("h1", ({ oci }) => oci.hostname, "h1"),
  Domainname: does("example", ({ oci }) => oci.linux.sysctl["kernel.domainname"], "example"),
  User: does("alice:7", ({ spec }) => spec.user, "alice:7"),
  AttachStdin: kept(true, ({ inspect }) => inspect.Config.AttachStdin),
  AttachStdout: kept(true, ({ inspect }) => inspect.Config.AttachStdout),
  AttachStderr: kept(true, ({ inspect }) => inspect.Config.AttachStderr),
  ExposedPorts: does({ "80/tcp": {} }, ({ record }) => record.ports.exposed, ["80/tcp"]),
  Tty: does(true, ({ oci }) => oci.process.terminal, true),
  OpenStdin: does(true, ({ spec }) => spec.stdin, true),
  StdinOnce: does(true, ({ record }) => record.config.StdinOnce, true, { beside: { OpenStdin: true } }),
  Env: does(["A=b"], ({ oci }) => oci.process.env.includes("A=b"), true),
  Cmd: does(["cat"], ({ oci }) => oci.process.args, ["cat"], { beside: { OpenStdin: true } }),
  ArgsEscaped: kept(true, ({ inspect }) => inspect.Config.ArgsEscaped),
  Image: does("other", ({ record }) => record.image, "other"),
  Volumes: does({ "/data": {} }, ({ record }) => record.mounts.map(({ destination }) => destination), ["/data"]),
  WorkingDir: does("/srv", ({ oci }) => oci.process.cwd, "/srv"),
  Entrypoint: does(["echo"], ({ oci }) => oci.process.args, ["echo", "sleep", "2000"]),
  NetworkDisabled: does(true, ({ sandbox }) => Object.keys(sandbox?.endpoints ?? {}), ["none"]),
  MacAddress: [
    does("02:42:ac:11:00:09", ({ sandbox }) => sandbox?.endpoints.bridge?.MacAddress, "02:42:ac:11:00:09", {
      version: 43,
    }),
    warns("02:42:ac:11:00:09", "The container-wide MacAddress field is now deprecated"),
  ],
  OnBuild: does(["RUN true"], (seen) => committed(seen).OnBuild, ["RUN true"]),
  Labels: does({ a: "b" }, (seen) => committed(seen).Labels, { a: "b" }),
  StopSignal: does("SIGUSR1", (seen) => committed(seen).StopSignal, "SIGUSR1"),
  StopTimeout: does(7, ({ record }) => record.config.StopTimeout, 7),
  Shell: does(["/bin/ash", "-c"], ({ record }) => healthCheckOf(record.config)?.args, ["/bin/ash", "-c", "probe"], {
    beside: { Healthcheck: { Test: ["CMD-SHELL", "probe"] } },
  }),
};

function check({ record }: Seen) {
  return healthCheckOf(record.config);
}

const MINUTE = 60_000_000_000;

export const HEALTH_ROWS: RowsOf<HealthConfig> = {
  Test: does(["CMD", "other"], (seen) => check(seen)?.args, ["other"]),
  Interval: does(MINUTE, (seen) => check(seen)?.intervalMs, 60_000, { beside: TEST }),
  Timeout: does(MINUTE, (seen) => check(seen)?.timeoutMs, 60_000, { beside: TEST }),
  Retries: does(7, (seen) => check(seen)?.retries, 7, { beside: TEST }),
  StartPeriod: does(MINUTE, (seen) => check(seen)?.startPeriodMs, 60_000, { beside: TEST }),
  StartInterval: does(MINUTE, (seen) => check(seen)?.startIntervalMs, 60_000, { beside: TEST }),
};
