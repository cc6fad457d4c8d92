import { formatEndpoint } from "@berth/port-spec";
import type { Argv } from "yargs";
import { Refused } from "./api.ts";
import type { Context } from "./context.ts";

/** A container as the Docker Engine API lists it. */
interface Listed {
  readonly Names: readonly string[];
  readonly Ports: readonly {
    readonly IP?: string;
    readonly PublicPort?: number;
    readonly PrivatePort: number;
    readonly Type: string;
  }[];
}

export function portsCommand(y: Argv, { show, terminal }: Context): Argv {
  return y.command("ports", "List the published host ports and the containers that have them", {}, async (args) => {
    const { status, body } = await terminal.engine("GET", "/containers/json");
    if (status !== 200) throw new Refused((body as { readonly message?: string }).message ?? `status ${status}`);
    const containers = body as readonly Listed[];
    const rows = containers.flatMap(({ Names: [name = ""], Ports }) =>
      Ports.flatMap(({ IP = "", PublicPort, PrivatePort, Type }) =>
        PublicPort === undefined
          ? []
          : [
              {
                host: formatEndpoint(IP, String(PublicPort)),
                protocol: Type,
                port: PublicPort,
                container: name.slice(1),
                to: PrivatePort,
              },
            ],
      ),
    );
    rows.sort((a, b) => a.port - b.port || a.protocol.localeCompare(b.protocol) || a.host.localeCompare(b.host));
    show(args, rows, ["host", "protocol", "container", "to"]);
  });
}
