/** A transport protocol Docker can publish. Always lower case. */
export type Protocol = "tcp" | "udp" | "sctp";

/** Every protocol, in Docker's order of preference. */
export const PROTOCOLS: readonly Protocol[] = ["tcp", "udp", "sctp"];

/**
 * Reads a protocol in any letter case; empty text means tcp, as after the slash of `80/`.
 *
 * @returns the protocol, or `undefined` where the text names none.
 */
export function parseProtocol(text: string): Protocol | undefined {
  switch (text) {
    case "tcp":
    case "":
      return "tcp";
    case "udp":
      return "udp";
    case "sctp":
      return "sctp";
    default:
      return foldCase(text);
  }
}

/** Folds ASCII only: `toLowerCase` would also accept the Kelvin sign and its kind. */
function foldCase(text: string): Protocol | undefined {
  return PROTOCOLS.find((protocol) => protocol.length === text.length && new RegExp(`^${protocol}$`, "i").test(text));
}
