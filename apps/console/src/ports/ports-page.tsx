import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { API, bodyOf } from "../api/client.ts";
import { type HeldPort, portsOn, useHosts } from "../api/hosts.ts";
import { useMe } from "../api/session.ts";
import { Button } from "../parts/button.tsx";
import { Choice, TextInput } from "../parts/field.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Empty, ErrorNote, Shown } from "../parts/state.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Badge, GroupName, Moment, UserName } from "../parts/texts.tsx";
import { UserInput, userNamed } from "../parts/user-input.tsx";
import { freeRanges, rangeText } from "./free-ports.ts";

/** More rows help nobody: the search is for that. */
const MOST_ROWS = 500;

export function PortsPage() {
  const asked = useHosts();
  const [q, setQ] = useState("");
  return (
    <Page title="Ports">
      <div className="toolbar">
        <TextInput label="Search" type="search" value={q} onChange={setQ} placeholder="8080, a container or a login" />
      </div>
      <Section title="Held and reserved">
        <Shown asked={asked}>{(hosts) => <HeldPorts ports={portsOn(hosts)} q={q.trim().toLowerCase()} />}</Shown>
      </Section>
      <Shown asked={asked}>{(hosts) => <FreePorts held={portsOn(hosts)} />}</Shown>
    </Page>
  );
}

function HeldPorts({ ports, q }: { readonly ports: readonly HeldPort[]; readonly q: string }) {
  const found = ports.filter((port) => matches(port, q));
  if (found.length === 0)
    return (
      <Empty>
        {/^\d+$/.test(q)
          ? `No container holds port ${q}, and nobody reserved it. Another program on the host may have it.`
          : q === ""
            ? "No container holds a port, and none is reserved."
            : "Nothing matches."}
      </Empty>
    );
  return (
    <>
      <Table label="Held and reserved ports" columns={COLUMNS} rows={found.slice(0, MOST_ROWS)} keyOf={keyOf} />
      {found.length > MOST_ROWS && (
        <p className="hint">
          The first {MOST_ROWS} of {found.length.toLocaleString("en")}. Search to see others.
        </p>
      )}
    </>
  );
}

function matches({ start, end, containerName, ownedBy, reservedFor, hostIp }: HeldPort, q: string): boolean {
  if (/^\d+$/.test(q)) return start <= Number(q) && Number(q) <= end;
  return [containerName, ownedBy?.login, reservedFor?.name, hostIp].some((text) => text?.toLowerCase().includes(q));
}

function keyOf({ host, hostIp, start, protocol, containerId, reservedFor }: HeldPort): string {
  return `${host} ${hostIp} ${start} ${protocol} ${containerId} ${reservedFor?.type}${reservedFor?.id}`;
}

const COLUMNS: readonly Column<HeldPort>[] = [
  { title: "Port", cell: (port) => <strong>{`${rangeText(port)}/${port.protocol}`}</strong> },
  { title: "Interface", cell: ({ hostIp }) => (hostIp === "" ? "all" : <span className="mono">{hostIp}</span>) },
  { title: "State", cell: ({ reservedFor }) => <PortState isReserved={reservedFor !== null} /> },
  { title: "By", cell: (port) => <Holder port={port} /> },
  { title: "To", cell: ({ containerPort }) => containerPort ?? <span className="quiet">–</span> },
  { title: "Host", cell: ({ host }) => host },
  { title: "Since", cell: ({ since }) => <Moment at={since} /> },
];

function PortState({ isReserved }: { readonly isReserved: boolean }) {
  return isReserved ? <Badge tone="warn">Reserved</Badge> : <Badge tone="good">Held</Badge>;
}

function Holder({ port: { containerName, ownedBy, reservedFor } }: { readonly port: HeldPort }) {
  if (reservedFor !== null) {
    const { type, id, name } = reservedFor;
    return <span>for {type === "user" ? <UserName id={id} login={name} /> : <GroupName id={id} name={name} />}</span>;
  }
  return (
    <span>
      {containerName} ({ownedBy === null ? "an administrator" : <UserName id={ownedBy.id} login={ownedBy.login} />})
    </span>
  );
}

const PROTOCOLS = [
  { value: "tcp", text: "TCP" },
  { value: "udp", text: "UDP" },
] as const;
/** How many ranges a person reads. */
const MOST_RANGES = 24;

/** The ports that a user's limits permit and that no container holds. */
function FreePorts({ held }: { readonly held: readonly HeldPort[] }) {
  const me = useMe();
  const [login, setLogin] = useState("");
  const [protocol, setProtocol] = useState<(typeof PROTOCOLS)[number]["value"]>("tcp");
  const asking = useMutation({
    mutationFn: async () => {
      const user = login.trim() === "" ? me : await userNamed(login);
      const body = { userId: user.id, request: { ports: [{ hostPort: "dynamic", protocol }] } };
      const { portChoices } = await bodyOf(API.POST("/api/decisions", { body: body as never }));
      const taken = held.filter((port) => port.protocol === protocol && !isFor(port, user.id));
      return { user: user.login, ranges: freeRanges(portChoices[0] ?? [], taken) };
    },
  });
  return (
    <Section title="Free for a user">
      <form
        className="toolbar"
        onSubmit={(event) => {
          event.preventDefault();
          asking.mutate();
        }}
      >
        {me.isReader && <UserInput label="User" value={login} onChange={setLogin} placeholder={`${me.login} (you)`} />}
        <Choice label="Protocol" value={protocol} onChange={setProtocol} options={PROTOCOLS} />
        <Button type="submit" isPending={asking.isPending}>
          Show
        </Button>
      </form>
      <ErrorNote error={asking.error} />
      {asking.data !== undefined && (
        <p className="result">
          {asking.data.ranges.length === 0
            ? `The limits of ${asking.data.user} leave no free port.`
            : `${asking.data.user}: ${asking.data.ranges.slice(0, MOST_RANGES).map(rangeText).join(", ")}`}
          {asking.data.ranges.length > MOST_RANGES && " and more"}
        </p>
      )}
    </Section>
  );
}

function isFor({ reservedFor }: HeldPort, userId: number): boolean {
  return reservedFor?.type === "user" && reservedFor.id === userId;
}
