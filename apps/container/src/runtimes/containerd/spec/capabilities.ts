import { CAPABILITY_NAMES } from "../../../containers/records/capability-names.ts";
import { EngineError } from "../../../engine/errors.ts";

/** What a container has by default: moby's `caps.DefaultCapabilities`. */
export const DEFAULT_CAPABILITIES = [
  "CAP_CHOWN",
  "CAP_DAC_OVERRIDE",
  "CAP_FSETID",
  "CAP_FOWNER",
  "CAP_MKNOD",
  "CAP_NET_RAW",
  "CAP_SETGID",
  "CAP_SETUID",
  "CAP_SETFCAP",
  "CAP_SETPCAP",
  "CAP_NET_BIND_SERVICE",
  "CAP_SYS_CHROOT",
  "CAP_KILL",
  "CAP_AUDIT_WRITE",
];

/** The capabilities in a mask as /proc/PID/status writes it, in hexadecimal. */
export function capabilitiesOfMask(mask: string): readonly string[] {
  const bits = BigInt(`0x${mask}`);
  return CAPABILITY_NAMES.filter((_, number) => (bits >> BigInt(number)) & 1n);
}

function nameOf(name: string): string {
  const upper = name.toUpperCase();
  if (upper === "ALL" || upper === "CAP_ALL") return "ALL";
  const full = upper.startsWith("CAP_") ? upper : `CAP_${upper}`;
  if (!CAPABILITY_NAMES.includes(full)) throw new EngineError("invalid", `invalid capability: "${name}"`);
  return full;
}

export interface CapabilityWish {
  readonly privileged: boolean;
  readonly capabilities: { readonly add: readonly string[]; readonly drop: readonly string[] };
}

/**
 * What a container gets, by moby's `caps.TweakCapabilities`: names with or without CAP_, in any case, and ALL.
 * `available` is what this host lets us give: asking for one more by name is `invalid`, ALL takes what there is.
 */
export function capabilitiesOf(wish: CapabilityWish, available: readonly string[]): readonly string[] {
  if (wish.privileged) return available;
  const add = wish.capabilities.add.map(nameOf);
  const drop = wish.capabilities.drop.map(nameOf);
  for (const name of add) {
    if (name !== "ALL" && !available.includes(name)) {
      throw new EngineError("invalid", `capability ${name} can't be given: this host does not have it`);
    }
  }
  const base = add.includes("ALL") ? available : drop.includes("ALL") ? [] : DEFAULT_CAPABILITIES;
  const kept = base.filter((name) => available.includes(name) && !drop.includes(name));
  // `--cap-drop=ALL --cap-add=X` leaves X; of one that is both added and dropped by name, Docker keeps it too.
  return [...new Set([...kept, ...add.filter((name) => name !== "ALL")])];
}
