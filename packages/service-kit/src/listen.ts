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
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/i.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  return host === undefined || port > 65_535 ? undefined : { host, port };
}
