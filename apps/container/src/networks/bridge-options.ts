import { EngineError } from "../engine/errors.ts";
import { parseAddress } from "./addresses/inet.ts";

const PREFIX = "com.docker.network";

/** The smallest MTU of a link with IPv6 (RFC 8200, 5): the kernel switches IPv6 off below it. */
const LEAST_IPV6_MTU = 1280;

const UNPROTECTED = "nat-unprotected";
const GATEWAY_MODES = [
  { option: `${PREFIX}.bridge.gateway_mode_ipv4`, family: "ip" },
  { option: `${PREFIX}.bridge.gateway_mode_ipv6`, family: "ip6" },
] as const;

/** A bridge network's options, read by Docker's names. */
export function bridgeOptions(options: Readonly<Record<string, string>>) {
  return {
    bridge: options[`${PREFIX}.bridge.name`],
    mtu: Number(options[`${PREFIX}.driver.mtu`] ?? 1500),
    isolated: options[`${PREFIX}.bridge.enable_icc`] === "false",
    masquerade: options[`${PREFIX}.bridge.enable_ip_masquerade`] !== "false",
    /** The families in which others reach every port of its containers, published or not. */
    unprotected: GATEWAY_MODES.flatMap(({ option, family }) => (options[option] === UNPROTECTED ? [family] : [])),
    /** The address of published ports whose binding names none; undefined for every address. */
    hostBinding: specific(options[`${PREFIX}.bridge.host_binding_ipv4`]),
    interfacePrefix: options[`${PREFIX}.container_iface_prefix`] ?? "eth",
  };
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
  ...GATEWAY_MODES.map(
    ({ option }) => [option, isGatewayMode, `nat or ${UNPROTECTED}; routed and isolated are not supported`] as const,
  ),
  [`${PREFIX}.bridge.inhibit_ipv4`, (text) => text === "false", "false; a bridge without an address is not supported"],
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
  { enableIPv6 }: { readonly enableIPv6: boolean },
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
}

function specific(address: string | undefined): string | undefined {
  return address === "" || address === "0.0.0.0" ? undefined : address;
}

function isGatewayMode(text: string): boolean {
  return ["", "nat", UNPROTECTED].includes(text);
}

function isBoolean(text: string): boolean {
  return text === "true" || text === "false";
}
