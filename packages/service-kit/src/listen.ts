import { isIPv4, isIPv6 } from "node:net";

/** An address to listen on. */
export interface ListenAddress {
  /** A name or an address; IPv6 without its brackets. */
  readonly host: string;
  readonly port: number;
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "is in use by another program",
  EADDRNOTAVAIL: "is not an address of this machine",
  EACCES: "is not allowed to this user",
};

/** The error for an address that cannot be listened on: names the setting that has it. */
export function listenFault(setting: string, { host, port }: ListenAddress, cause: unknown): Error {
  const { code, message } = cause as { readonly code?: unknown; readonly message?: unknown };
  const reason = (typeof code === "string" && REASONS[code]) || `cannot be listened on: ${String(message)}`;
  return new Error(`${setting}: ${host.includes(":") ? `[${host}]` : host}:${port} ${reason}`, { cause });
}

/**
 * Parses `host:port`; an IPv6 address must be in brackets. Port 0, which lets the kernel choose, is accepted.
 * @returns undefined for a text of another form.
 */
export function parseListen(text: string): ListenAddress | undefined {
  const [, v6, host = v6 ?? "", digits] = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(text) ?? [];
  const isHost = v6 === undefined ? HOST_NAME.test(host) && (!/^[\d.]+$/.test(host) || isIPv4(host)) : isIPv6(v6);
  const port = Number(digits);
  return isHost && port <= 65_535 ? { host, port } : undefined;
}

/** Labels between dots; underscores are common in names of containers. */
const HOST_NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.|$))+$/i;
