import { formatEndpoint } from "../spec/ip-address.ts";
import { formatPortRange, type PortRange } from "../spec/port-range.ts";
import type { ListedPort } from "./list-ports.ts";

/**
 * Formats the PORTS column of `docker ps` as CLI 28.2.2 does: `0.0.0.0:8080->80/tcp, [::]:8080->80/tcp`. Consecutive ports
 * that are unpublished, or published under their own number, become a range such as `8000-8010`.
 *
 * @example
 * ```ts
 * formatPorts([{ IP: "::", PrivatePort: 80, PublicPort: 8080, Type: "tcp" }]); // => "[::]:8080->80/tcp"
 * ```
 *
 * @param ports `Ports` of a list entry, in any order.
 */
export function formatPorts(ports: readonly ListedPort[]): string {
  const closed: string[] = [];
  const open = new Map<string, { readonly port: ListedPort; readonly run: PortRange }>();
  const mapped: string[] = [];
  for (const port of [...ports].sort(byColumnOrder)) {
    const { IP = "", PrivatePort, PublicPort = 0, Type } = port;
    if (IP !== "" && PublicPort !== PrivatePort) {
      mapped.push(`${formatEndpoint(IP, PublicPort)}->${PrivatePort}/${Type}`);
      continue;
    }
    const key = `${IP}/${Type}`;
    const group = open.get(key);
    if (group?.run.end === PrivatePort - 1) {
      open.set(key, { port, run: { start: group.run.start, end: PrivatePort } });
      continue;
    }
    if (group !== undefined) closed.push(formatGroup(group.port, group.run));
    open.set(key, { port, run: { start: PrivatePort, end: PrivatePort } });
  }
  return [...closed, ...[...open.values()].map(({ port, run }) => formatGroup(port, run)), ...mapped].join(", ");
}

function formatGroup({ IP = "", Type }: ListedPort, run: PortRange): string {
  const ports = formatPortRange(run);
  return IP === "" ? `${ports}/${Type}` : `${formatEndpoint(IP, ports)}->${ports}/${Type}`;
}

/** The CLI sorts addresses as text, by bytes; for addresses, code units have the same order. */
function byColumnOrder(a: ListedPort, b: ListedPort): number {
  return (
    a.PrivatePort - b.PrivatePort ||
    compareText(a.IP ?? "", b.IP ?? "") ||
    (a.PublicPort ?? 0) - (b.PublicPort ?? 0) ||
    compareText(a.Type, b.Type)
  );
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
