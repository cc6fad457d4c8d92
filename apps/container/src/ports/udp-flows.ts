import { networkInterfaces } from "node:os";
import type { PortAssignment } from "@berth/port-spec";
import { runCommand } from "../networks/command.ts";

/** One exchange that the kernel remembers, by what its first packet said. */
interface Flow {
  readonly source: string;
  readonly destination: string;
  readonly sourcePort: string;
  readonly destinationPort: string;
}

/**
 * Makes the kernel forget where UDP exchanges with these host ports lead. A client that sends to a port before it is published, and goes
 * on, would otherwise stay with whatever answered first. TCP clients connect again.
 */
export async function forgetFlowsTo(assignments: readonly PortAssignment[]): Promise<void> {
  const published = assignments.filter(({ protocol, hostIp }) => protocol === "udp" && !hostIp.includes(":"));
  if (published.length === 0) return;
  const here = new Set(
    Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address)),
  );
  const flows = readFlows(await runCommand("conntrack", ["-L", "-p", "udp"]).catch(() => ""));
  const leadsTo = ({ destination, destinationPort }: Flow) =>
    published.some(
      ({ hostIp, hostPort }) =>
        destinationPort === String(hostPort) && (hostIp === "0.0.0.0" ? here.has(destination) : hostIp === destination),
    );
  await Promise.all(flows.filter(leadsTo).map(forget));
}

/** As {@link forgetFlowsTo}, of exchanges that lead to a container's address. */
export async function forgetFlowsOf(address: string): Promise<void> {
  await conntrackDelete(["--reply-src", address]);
}

/** The lines of `conntrack -L`: the first four `name=value` are of the packet that began the exchange. */
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
  return conntrackDelete([...ends, "--orig-port-src", sourcePort, "--orig-port-dst", destinationPort]);
}

async function conntrackDelete(which: readonly string[]): Promise<void> {
  // Ends with 1 where nothing matched.
  await runCommand("conntrack", ["-D", "-p", "udp", ...which]).catch(() => undefined);
}
