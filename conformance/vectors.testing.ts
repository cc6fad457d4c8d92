import { readFileSync } from "node:fs";
import { join } from "node:path";

// The recorded vectors, read for this machine and this run: ports of its own, an address that it has, the families that it has.

export interface Refusal {
  readonly status: number;
  readonly warnings?: readonly string[];
  readonly body?: { readonly message: string } | string;
  readonly contentType?: string;
}

/** What an engine answers to a create and, where that works, to a start; inspect's paths are dotted. */
export interface Course {
  readonly create: Refusal;
  readonly inspectAfterCreate?: Readonly<Record<string, unknown>>;
  readonly start?: Refusal;
  readonly inspectAfterStart?: Readonly<Record<string, unknown>>;
  readonly listPorts?: readonly object[];
}

export interface Bound {
  readonly HostIp: string;
  readonly HostPort: string;
}
export type Ports = Readonly<Record<string, readonly Bound[] | null>>;

export interface CreateBody {
  readonly Image?: string;
  readonly ExposedPorts?: Readonly<Record<string, object>>;
  readonly PortBindings?: Bindings;
  readonly HostConfig?: { readonly PortBindings?: Bindings; readonly NetworkMode?: string };
}
export type Bindings = Readonly<Record<string, readonly Partial<Bound>[] | null>>;

export interface StartCase {
  readonly apiVersion: string;
  readonly label: string;
  readonly createBody: CreateBody;
  readonly startBody: object;
}

interface Vectors {
  readonly createRequest: readonly {
    readonly apiVersion: string;
    readonly label: string;
    /** Text where `rawBody` is true: sent as it stands. */
    readonly body?: CreateBody | string;
    readonly rawBody?: boolean;
    readonly contentType?: string | null;
    readonly expect: Course;
  }[];
  readonly startHostConfig: readonly StartCase[];
  readonly legacyPortSpecs: readonly {
    readonly apiVersion: string;
    readonly why: string;
    readonly body: object;
    readonly expect:
      | { readonly exposed: readonly string[]; readonly bindings: object }
      | { readonly status: number; readonly messageContains?: string };
  }[];
  readonly conflicts: readonly {
    readonly label: string;
    readonly first: Publication;
    readonly second: Publication;
    readonly expectSecond: {
      readonly create: number;
      readonly start: number;
      readonly ports: Ports;
      readonly state: string;
    };
  }[];
  readonly inspectPorts: readonly {
    readonly label: string;
    readonly apiVersion?: string;
    readonly ExposedPorts: Readonly<Record<string, object>>;
    readonly PortBindings: Bindings | null;
    readonly state?: string;
    readonly ports?: Ports | string;
    readonly created?: Ports | null;
    readonly afterStart?: Ports;
  }[];
  readonly versionNegotiation: readonly {
    readonly method: string;
    readonly path: string;
    readonly why: string;
    readonly expect: {
      readonly status: number;
      readonly contentType: string;
      readonly apiVersionHeader: string | null;
      readonly body: string | { readonly message?: string };
    };
  }[];
}

export interface Publication {
  readonly ip: string;
  readonly hostPort: string;
  readonly key: string;
}

export const hasIpv6 = (() => {
  try {
    return readFileSync("/proc/net/if_inet6", "utf8") !== "";
  } catch {
    return false;
  }
})();

/** Two runs at once must not take each other's ports: the recorded 21xxx becomes 20xxx to 31xxx. */
const thousands = String(20 + (process.pid % 12));

export const vectors: Vectors = JSON.parse(
  readFileSync(join(import.meta.dirname, "fixtures/port-vectors.fixture.json"), "utf8")
    .replaceAll(/(?<![0-9a-zA-Z.])(0?)21(\d{3})(?!\d)/g, `$1${thousands}$2`)
    .replaceAll("192.0.2.2", "127.0.0.2"),
  (_, value) =>
    hasIpv6 || !Array.isArray(value) ? value : value.filter((item) => item?.HostIp !== "::" && item?.IP !== "::"),
);
