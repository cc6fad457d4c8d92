import { createApp } from "../../app.ts";
import type { ContainerView } from "../../containers/containers.ts";
import { normalisedCreate } from "../../containers/create/create.testing.ts";
import { ALL_LIMITS } from "../../containers/create/discard-limits.ts";
import type { Container } from "../../containers/records/container.ts";
import type { Limit } from "../../engine/host-defaults.ts";
import type { ContainerId } from "../../engine/ids.ts";
import { type Endpoint, NO_ADDRESS } from "../../networks/networks.ts";
import type { Deps, Edge, Listener } from "../http/edge.ts";

/** The administrators' socket. */
export const ADMINISTRATOR: Listener = {
  kind: "unix",
  path: "/run/test.sock",
  actor: { kind: "administrator", id: undefined, login: "root" },
};

export const containerId = "0123456789abcdef".repeat(4) as ContainerId;

export const BRIDGE_ENDPOINT: Endpoint = {
  networkId: "n".repeat(64),
  networkName: "bridge",
  endpointId: "e".repeat(64),
  address: "172.17.0.2",
  prefixLength: 16,
  gateway: "172.17.0.1",
  ipv6: NO_ADDRESS,
  macAddress: "02:42:ac:11:00:02",
  aliases: [],
  request: {},
  bridge: "berth0",
};

const request = normalisedCreate({
  Image: "busybox",
  Cmd: ["sleep", "1 2"],
  ExposedPorts: { "80/tcp": {}, "81/udp": {} },
});

/** A running container with a published and an unpublished port. */
export const RUNNING: ContainerView = {
  container: {
    id: containerId,
    name: "web",
    owner: undefined,
    image: "busybox",
    imageId: `sha256:${"a".repeat(64)}`,
    layers: "",
    createdAt: "2026-01-02T03:04:05.000000006Z",
    config: request.config,
    hostConfig: request.hostConfig,
    endpoints: {},
    ports: { exposed: ["80/tcp", "81/udp"], wishes: [] },
    mounts: [{ type: "bind", source: "/a", destination: "/b", mode: "ro", readWrite: false, propagation: "rprivate" }],
    state: {
      status: "running",
      pid: 42,
      exitCode: 0,
      error: "",
      oomKilled: false,
      startedAt: "2026-01-02T03:04:06Z",
      finishedAt: undefined,
    },
    restartCount: 0,
    stoppedByUser: false,
    hostServices: false,
  } as Container,
  assignments: [{ containerPort: 80, protocol: "tcp", hostIp: "0.0.0.0", hostPort: 8080 }],
  endpoints: { bridge: BRIDGE_ENDPOINT },
  imageName: "busybox",
  execIds: [],
  logPath: "/log",
  hostsPath: "/hosts",
  hostnamePath: "/hostname",
  resolvConfPath: "/resolv.conf",
};

export function withState(state: Partial<Container["state"]>): ContainerView {
  return {
    ...RUNNING,
    assignments: [],
    container: { ...RUNNING.container, state: { ...RUNNING.container.state, ...state } },
  };
}

/** An interface with only some methods; a call of any other fails the test. */
function only<T extends object>(name: string, methods: Partial<T>): T {
  return new Proxy(methods as T, {
    get: (target, key) => {
      if (key in target) return Reflect.get(target, key);
      return () => {
        throw new Error(`${name}.${String(key)} was not expected to be called`);
      };
    },
  });
}

export interface Fakes {
  readonly containers?: Partial<Deps["containers"]>;
  readonly archives?: Partial<Deps["archives"]>;
  readonly images?: Partial<Deps["images"]>;
  readonly builds?: Partial<Deps["builds"]>;
  readonly buildKit?: Partial<Deps["buildKit"]>;
  readonly networks?: Partial<Deps["networks"]>;
  readonly members?: Partial<Deps["members"]>;
  readonly volumes?: Partial<Deps["volumes"]>;
  readonly ports?: Partial<Deps["ports"]>;
  readonly places?: Partial<Deps["places"]>;
  readonly unnamedPlace?: Deps["unnamedPlace"];
  readonly events?: Partial<Deps["events"]>;
  readonly identify?: Deps["identify"];
  readonly whoseLogin?: Deps["whoseLogin"];
  /** The limits that the host supports; defaults to all. */
  readonly limits?: ReadonlySet<Limit>;
  readonly warnings?: readonly string[];
  /** Whether the record of actions is looked at. */
  readonly actions?: Deps["actions"];
}

/** The app over the use cases that a test needs; `faults` collects what it logs. */
export function appWith(fakes: Fakes = {}) {
  const faults: unknown[] = [];
  const deps: Deps = {
    containers: only("containers", { actedOn: () => undefined, assertMayAttach: () => undefined, ...fakes.containers }),
    archives: only("archives", fakes.archives ?? {}),
    images: only("images", fakes.images ?? {}),
    builds: only("builds", fakes.builds ?? {}),
    buildKit: only("buildKit", { isOffered: async () => false, ...fakes.buildKit }),
    networks: only("networks", fakes.networks ?? {}),
    members: only("members", fakes.members ?? {}),
    volumes: only("volumes", fakes.volumes ?? {}),
    ports: only("ports", fakes.ports ?? {}),
    places: only("places", fakes.places ?? {}),
    unnamedPlace: fakes.unnamedPlace ?? "outside",
    events: only("events", fakes.events ?? {}),
    identify: fakes.identify ?? (async ({ listener }) => (listener.kind === "unix" ? listener.actor : undefined)),
    whoseLogin: fakes.whoseLogin ?? (() => Promise.reject(new Error("the directory was not expected to be asked"))),
    host: {
      facts: {
        id: "id",
        name: "host",
        cpus: 2,
        memory: 1024,
        kernelVersion: "6.1.0",
        operatingSystem: "Debian",
        osVersion: "12",
        machine: "x86_64",
        architecture: "amd64",
        cgroupVersion: "1",
        cpuRealtime: true,
        limits: fakes.limits ?? ALL_LIMITS,
        apparmor: true,
        stateDirectory: "/var/lib/berth",
        berthVersion: "0.1.0",
        runtime: { name: "containerd", version: "1.6.20", runc: "1.1.5" },
        mirrors: [],
        insecureRegistries: [],
      },
      cpuTime: async () => 7,
      interfaces: async () => ({}),
    },
    warnings: () => fakes.warnings ?? [],
    actions: fakes.actions ?? { record: () => undefined },
    log: { error: (fault: unknown) => faults.push(fault), warn: () => undefined },
  };
  const app = createApp(deps);
  const request = (method: string, target: string, body?: unknown, bindings: Edge["Bindings"] = {}) => {
    const text = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
    const init =
      body === undefined ? { method } : { method, body: text, headers: { "content-type": "application/json" } };
    return app.request(target, init as RequestInit, { listener: ADMINISTRATOR, ...bindings });
  };
  return { app, request, faults };
}
