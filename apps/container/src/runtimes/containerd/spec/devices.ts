import { EngineError } from "../../../engine/errors.ts";

/** A device node, found on the host. */
export interface DeviceNode {
  /** Where it appears in the container. */
  readonly path: string;
  readonly type: "c" | "b";
  readonly major: number;
  readonly minor: number;
  /** Permission bits. */
  readonly fileMode: number;
  readonly uid: number;
  readonly gid: number;
  /** Of `rwm`. */
  readonly permissions: string;
}

interface DeviceRule {
  readonly allow: boolean;
  readonly type?: string;
  readonly major?: number;
  readonly minor?: number;
  readonly access: string;
}

/** moby's `oci.DefaultSpec`: null, zero, full, random, urandom, tty, console; fuse is denied by name. runc adds ptmx and pts. */
const DEFAULT_RULES: readonly DeviceRule[] = [
  { allow: false, access: "rwm" },
  ...[
    [1, 5],
    [1, 3],
    [1, 9],
    [1, 8],
    [5, 0],
    [5, 1],
  ].map(([major = 0, minor = 0]) => ({ allow: true, type: "c", major, minor, access: "rwm" })),
  { allow: false, type: "c", major: 10, minor: 229, access: "rwm" },
];

/** The `linux.devices` and the device rules of the control group. `rules` are Docker's: `c 42:* rmw`. */
export function devicesOf(
  nodes: readonly DeviceNode[],
  rules: readonly string[],
  options: { readonly access: "listed" | "all" },
): { readonly devices: readonly object[]; readonly rules: readonly DeviceRule[] } {
  return {
    devices: nodes.map(({ permissions: _, ...node }) => node),
    rules:
      options.access === "all"
        ? [{ allow: true, access: "rwm" }]
        : [
            ...DEFAULT_RULES,
            ...nodes.map(({ type, major, minor, permissions }) => ({
              allow: true,
              type,
              major,
              minor,
              access: permissions,
            })),
            ...rules.map(parseDeviceRule),
          ],
  };
}

function parseDeviceRule(rule: string): DeviceRule {
  const match = /^([acb]) ([0-9]+|\*):([0-9]+|\*) ([rwm]{1,3})$/.exec(rule);
  if (!match) throw new EngineError("invalid", `invalid device cgroup rule format: '${rule}'`);
  const [, type = "", major = "*", minor = "*", access = ""] = match;
  return {
    allow: true,
    type,
    ...(major === "*" ? {} : { major: Number(major) }),
    ...(minor === "*" ? {} : { minor: Number(minor) }),
    access,
  };
}
