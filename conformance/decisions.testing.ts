import type { Bindings, Bound, Course, CreateBody, Ports } from "./vectors.testing.ts";
import { hasIpv6 } from "./vectors.testing.ts";

// Where Berth decides otherwise than the engine that the vectors were recorded on. Everything not named here is as recorded.

/** What create refuses with a 400 whose message says this: by the rule, then by the vectors' labels. */
export const REFUSED_AT_CREATE: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  "an image is required": { noimage: /[Ii]mage/ },
  "JSON of the wrong type or shape is a 400 with the field's path": {
    "exposed array": /ExposedPorts/,
    "exposed val str": /ExposedPorts/,
    "bind int hostport": /HostPort/,
    "bind obj not list": /PortBindings/,
    "PAP str": /PublishAllPorts/,
    "no body": /./,
    "bad json": /./,
    "json trailing": /./,
    "json array": /./,
  },
  "a container port is 1 to 65535 over a known protocol": {
    "exposed bad": /abc/,
    "exposed badproto": /icmp/,
    "exposed 65536": /65536/,
    "exposed empty key": /ExposedPorts|port/,
    "exposed /tcp": /\/tcp/,
    "bind key badproto": /icmp/,
    "bind key 0": /0/,
    "bind key /tcp": /\/tcp/,
    "bind key empty": /PortBindings|port/,
    "X key icmp": /icmp/,
  },
  "a host address is a literal one": {
    "bind hostIP name": /localhost/,
    "bind hostIP bad": /256\.1\.1\.1/,
    "bind hostIP bracket": /\[::1\]/,
    "X ip name": /localhost/,
    "X ip bad": /256\.1\.1\.1/,
    "X ip bracket": /\[::1\]/,
    "X ip ws": / 127\.0\.0\.1/,
  },
};

/** A range of container ports exposes each of them, as compose means it; the recorded engine kept it as one key and published `0/tcp`. */
export const EXPOSES_EACH: Readonly<Record<string, readonly string[]>> = {
  "X v1.41 key PAP range": ["80/tcp", "81/tcp", "82/tcp"],
};

/** Starts that fail, since the binding is no longer dropped in silence, or that fail in other words. */
export const REFUSED_AT_START: Readonly<Record<string, RegExp>> = {
  "bind dup same": /Bind for 0\.0\.0\.0:\d+ failed: port is already allocated/,
  "bind self conflict": /Bind for 0\.0\.0\.0:\d+ failed: port is already allocated/,
  "X dup": /Bind for 0\.0\.0\.0:\d+ failed: port is already allocated/,
  "X self conflict": /Bind for 0\.0\.0\.0:\d+ failed: port is already allocated/,
  "X any lo": /Bind for (0\.0\.0\.0|127\.0\.0\.1):\d+ failed: port is already allocated/,
  "bind hostIP nonlocal": /203\.0\.113\.9/,
  "X ip nonlocal": /203\.0\.113\.9/,
};

/** SCTP is translated by the kernel: no proxy has to open a socket that the recording machine could not open. */
export const STARTS_ANYWAY: readonly string[] = ["bind sctp", "X sctp"];

/** An empty list is not published, and create warns of it. */
export const WARNED: readonly string[] = ["X empty list", "bind null list"];

function normalKey(key: string): string {
  const [port, protocol] = key.split("/");
  return `${Number(port)}/${(protocol || "tcp").toLowerCase()}`;
}
function normalKeys<T>(map: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [normalKey(key), value]));
}

function bindingsOf(body: CreateBody): Bindings {
  return normalKeys(body.HostConfig?.PortBindings ?? body.PortBindings ?? {});
}

/**
 * The recorded course with Berth's rules on keys: they are normalised, and a binding exposes its port.
 * Only for creates that are not refused.
 */
export function decided(body: CreateBody, course: Course, label: string): Course {
  const bindings = bindingsOf(body);
  const exposed = {
    ...normalKeys(body.ExposedPorts ?? {}),
    ...Object.fromEntries(Object.keys(bindings).map((key) => [key, {}])),
  };
  const mode = body.HostConfig?.NetworkMode ?? "bridge";
  const recorded = (course.inspectAfterStart?.["NetworkSettings.Ports"] ?? {}) as Ports;
  const bound = Object.fromEntries(Object.entries(recorded).filter(([, list]) => list !== null));
  const nothing = label in REFUSED_AT_START || mode !== "bridge";
  const ports: Ports = nothing ? {} : { ...mapValues(exposed, () => null), ...published(bindings), ...bound };
  return {
    ...course,
    inspectAfterCreate: {
      ...course.inspectAfterCreate,
      "Config.ExposedPorts": Object.keys(exposed).length === 0 ? null : mapValues(exposed, () => ({})),
      ...(Object.keys(bindings).length === 0
        ? {}
        : {
            "HostConfig.PortBindings": mapValues(
              bindings,
              (list) =>
                list?.map(({ HostIp, HostPort }) => ({ HostIp: HostIp ?? "", HostPort: HostPort ?? "" })) ?? null,
            ),
          }),
    },
    inspectAfterStart: {
      "NetworkSettings.Ports": ports,
      "State.Status": label in REFUSED_AT_START ? "created" : "running",
    },
    listPorts: Object.entries(ports).flatMap(([key, list]) => items(key, list)),
  };
}

function published(bindings: Bindings): Ports {
  return mapValues(bindings, (list) => {
    if (list === null || list.length === 0) return null;
    // Larger host ports first, as they are published.
    const wished = list.map(({ HostIp, HostPort }) => ({ HostIp: HostIp ?? "", HostPort: portOf(HostPort ?? "") }));
    const sorted = [...wished].sort((a, b) => Number(b.HostPort) - Number(a.HostPort) || 0);
    return sorted.flatMap(({ HostIp, HostPort }): Bound[] => {
      if (HostIp === "") return [{ HostIp: "0.0.0.0", HostPort }, ...(hasIpv6 ? [{ HostIp: "::", HostPort }] : [])];
      return [{ HostIp: HostIp.replace("::ffff:", ""), HostPort }];
    });
  });
}

function portOf(wished: string): string {
  const first = Number(wished.split("-")[0]);
  return first === 0 ? "<dyn>" : String(first);
}

function items(key: string, list: readonly Bound[] | null): object[] {
  const [port, Type] = key.split("/");
  if (list === null) return [{ PrivatePort: Number(port), Type }];
  return list.map(({ HostIp, HostPort }) => ({
    IP: HostIp,
    PrivatePort: Number(port),
    PublicPort: HostPort === "<dyn>" ? HostPort : Number(HostPort),
    Type,
  }));
}

function mapValues<T, U>(map: Readonly<Record<string, T>> | object, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
