import { networkInterfaces } from "node:os";
import { type IpFamily, ipFamily, type PortAssignment } from "@berth/port-spec";
import { runCommand } from "../networks/command.ts";

/** One UDP flow that conntrack remembers, by its first packet. */
interface Flow {
  readonly source: string;
  readonly destination: string;
  readonly sourcePort: string;
  readonly destinationPort: string;
}

/**
 * Deletes the conntrack entries of UDP flows to these host ports. Otherwise a client that keeps sending stays with the target of its first
 * packet, sent before the port was published. TCP clients reconnect.
 */
export async function forgetFlowsTo(assignments: readonly PortAssignment[]): Promise<void> {
  for (const family of ["ipv4", "ipv6"] as const)
    await forgetFamily(
      family,
      assignments.filter(({ protocol, hostIp }) => protocol === "udp" && ipFamily(hostIp) === family),
    );
}

async function forgetFamily(family: IpFamily, published: readonly PortAssignment[]): Promise<void> {
  if (published.length === 0) return;
  const here = new Set(
    Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address)),
  );
  const flows = readFlows(await runCommand("conntrack", ["-L", "-f", family, "-p", "udp"]).catch(() => ""));
  const leadsTo = ({ destination, destinationPort }: Flow) =>
    published.some(
      ({ hostIp, hostPort }) =>
        destinationPort === String(hostPort) && (isWildcard(hostIp) ? here.has(destination) : hostIp === destination),
    );
  await Promise.all(flows.filter(leadsTo).map(forget));
}

function isWildcard(hostIp: string): boolean {
  return hostIp === "0.0.0.0" || hostIp === "::";
}

/** As {@link forgetFlowsTo}, for flows to a container's address. */
export async function forgetFlowsOf(address: string): Promise<void> {
  await conntrackDelete(ipFamily(address), ["--reply-src", address]);
}

/** The lines of `conntrack -L`: the first four `name=value` describe the first packet of the flow. */
export function readFlows(listed: string): readonly Flow[] {
  return listed.split("\n").flatMap((line) => {
    const match = / src=(\S+) dst=(\S+) sport=(\d+) dport=(\d+) /.exec(line);
    if (match === null) return [];
    const [, source = "", destination = "", sourcePort = "", destinationPort = ""] = match;
    return [{ source, destination, sourcePort, destinationPort }];
  });
}

function forget({ source, destination, sourcePort, destinationPort }: Flow): Promise<void> {
  const ends = ["--orig-src", source, "--orig-dst", destination];
  return conntrackDelete(ipFamily(source), [
    ...ends,
    "--orig-port-src",
    sourcePort,
    "--orig-port-dst",
    destinationPort,
  ]);
}

async function conntrackDelete(family: IpFamily, which: readonly string[]): Promise<void> {
  // Exits with 1 if nothing matched.
  await runCommand("conntrack", ["-D", "-f", family, "-p", "udp", ...which]).catch(() => undefined);
}
