import type { IpFamily } from "@berth/port-spec";
import { EngineError } from "../engine/errors.ts";
import { parseAddress } from "./addresses/inet.ts";
import type { Network } from "./networks.ts";

const PREFIX = "com.docker.network";

/** The smallest MTU of a link with IPv6 (RFC 8200, 5): the kernel switches IPv6 off below it. */
const LEAST_IPV6_MTU = 1280;

/**
 * How a network's containers are reached in one family (moby `gwMode`): through ports of the host; at their own addresses too, whatever
 * they publish; at their own addresses alone, where they publish; or not at all, not even from the host.
 */
export type GatewayMode = "nat" | "nat-unprotected" | "routed" | "isolated";

const GATEWAY_MODES: readonly string[] = ["nat", "nat-unprotected", "routed", "isolated"] satisfies GatewayMode[];
const MODE_OPTIONS = {
  ipv4: `${PREFIX}.bridge.gateway_mode_ipv4`,
  ipv6: `${PREFIX}.bridge.gateway_mode_ipv6`,
} as const satisfies Readonly<Record<IpFamily, string>>;

/** A bridge network's options, read by Docker's names. */
export function bridgeOptions(options: Readonly<Record<string, string>>) {
  return {
    bridge: options[`${PREFIX}.bridge.name`],
    mtu: Number(options[`${PREFIX}.driver.mtu`] ?? 1500),
    isolated: options[`${PREFIX}.bridge.enable_icc`] === "false",
    masquerade: options[`${PREFIX}.bridge.enable_ip_masquerade`] !== "false",
    modes: { ipv4: modeOf(options, "ipv4"), ipv6: modeOf(options, "ipv6") },
    /** Whether the bridge leaves the gateway's address to somebody else. */
    inhibitsIPv4: options[`${PREFIX}.bridge.inhibit_ipv4`] === "true",
    /** The address of published ports whose binding names none; undefined for every address. */
    hostBinding: specific(options[`${PREFIX}.bridge.host_binding_ipv4`]),
    interfacePrefix: options[`${PREFIX}.container_iface_prefix`] ?? "eth",
  };
}

function modeOf(options: Readonly<Record<string, string>>, family: IpFamily): GatewayMode {
  return (options[MODE_OPTIONS[family]] || "nat") as GatewayMode;
}

/** Whether the network's bridge has no address of its own in the family. */
export function isAddressless({ options }: Pick<Network, "options">, family: IpFamily): boolean {
  const { modes, inhibitsIPv4 } = bridgeOptions(options);
  return modes[family] === "isolated" || (family === "ipv4" && inhibitsIPv4);
}

/** Whether no container needs a gateway in the family (moby `GetSkipGwAlloc`). */
export function hasNoGateway(network: Pick<Network, "options" | "internal">, family: IpFamily): boolean {
  return network.internal && isAddressless(network, family);
}

const LINK_NAME = /^[a-zA-Z][a-zA-Z0-9_.-]*$/;

const CHECKS: readonly (readonly [name: string, passes: (value: string) => boolean, want: string])[] = [
  [
    `${PREFIX}.bridge.name`,
    (text) => LINK_NAME.test(text) && text.length <= 15,
    "a link's name of at most 15 characters",
  ],
  [`${PREFIX}.driver.mtu`, (text) => /^\d{1,5}$/.test(text) && Number(text) >= 68, "a number from 68"],
  [`${PREFIX}.bridge.enable_icc`, isBoolean, "true or false"],
  [`${PREFIX}.bridge.enable_ip_masquerade`, isBoolean, "true or false"],
  [
    `${PREFIX}.bridge.host_binding_ipv4`,
    (text) => text === "" || parseAddress(text, "ipv4") !== undefined,
    "an IPv4 address of the host",
  ],
  ...Object.values(MODE_OPTIONS).map(
    (option) =>
      [option, (text: string) => text === "" || GATEWAY_MODES.includes(text), GATEWAY_MODES.join(", ")] as const,
  ),
  [`${PREFIX}.bridge.inhibit_ipv4`, isBoolean, "true or false"],
  [`${PREFIX}.bridge.trusted_host_interfaces`, (text) => text === "", "nothing; trusted interfaces are not supported"],
  [
    `${PREFIX}.container_iface_prefix`,
    (text) => LINK_NAME.test(text) && text.length <= 10,
    "the start of a link's name",
  ],
];

/** Checks the options of a network. Throws `invalid` with what would be right. */
export function checkOptions(
  options: Readonly<Record<string, string>>,
  { enableIPv4, enableIPv6, internal }: Pick<Network, "enableIPv4" | "enableIPv6" | "internal">,
): void {
  const refuse = (name: string, want: string): never => {
    throw new EngineError("invalid", `invalid value ${JSON.stringify(options[name])} for option ${name}: want ${want}`);
  };
  for (const [name, passes, want] of CHECKS) {
    const value = options[name];
    if (value !== undefined && !passes(value)) refuse(name, want);
  }
  if (enableIPv6 && bridgeOptions(options).mtu < LEAST_IPV6_MTU)
    refuse(`${PREFIX}.driver.mtu`, `at least ${LEAST_IPV6_MTU}, which IPv6 needs`);
  if (!internal && Object.values(bridgeOptions(options).modes).includes("isolated"))
    throw new EngineError("invalid", "gateway mode 'isolated' can only be used for an internal network");
  // Names are answered on a bridge without addresses over IPv4 alone.
  if (!enableIPv4 && bridgeOptions(options).modes.ipv6 === "isolated")
    refuse(MODE_OPTIONS.ipv6, "a network with IPv4 for the mode isolated");
}

function specific(address: string | undefined): string | undefined {
  return address === "" || address === "0.0.0.0" ? undefined : address;
}

function isBoolean(text: string): boolean {
  return text === "true" || text === "false";
}
