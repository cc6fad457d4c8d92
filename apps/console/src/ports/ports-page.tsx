import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { API, bodyOf } from "../api/client.ts";
import { type HeldPort, portsOn, programPortsOn, useHosts } from "../api/hosts.ts";
import { useMe } from "../api/session.ts";
import { Button } from "../parts/button.tsx";
import { Choice, TextInput } from "../parts/field.tsx";
import { Page, Section } from "../parts/page.tsx";
import { ErrorNote, Shown } from "../parts/state.tsx";
import { UserInput, userNamed } from "../parts/user-input.tsx";
import { freeRanges, type Range, rangeText } from "./free-ports.ts";
import { PortTable } from "./port-table.tsx";

export function PortsPage() {
  const asked = useHosts();
  const [q, setQ] = useState("");
  return (
    <Page title="Ports">
      <div className="toolbar">
        <TextInput label="Search" type="search" value={q} onChange={setQ} placeholder="8080, or part of a name" />
      </div>
      <Section title="In use and reserved">
        <Shown asked={asked}>
          {(hosts) => <PortTable held={portsOn(hosts)} programs={programPortsOn(hosts)} q={q.trim().toLowerCase()} />}
        </Shown>
      </Section>
      <Shown asked={asked}>{(hosts) => <FreePorts held={portsOn(hosts)} programs={programRanges(hosts)} />}</Shown>
    </Page>
  );
}

/** Ports of one protocol. */
interface Taken extends Range {
  readonly protocol: string;
}

function programRanges(hosts: Parameters<typeof programPortsOn>[0]): readonly Taken[] {
  return programPortsOn(hosts).map(({ port, protocol }) => ({ start: port, end: port, protocol }));
}

const PROTOCOLS = [
  { value: "tcp", text: "TCP" },
  { value: "udp", text: "UDP" },
] as const;
/** How many ranges a person reads. */
const MOST_RANGES = 24;

/** The ports that a user's limits permit and that nobody holds. */
function FreePorts({ held, programs }: { readonly held: readonly HeldPort[]; readonly programs: readonly Taken[] }) {
  const me = useMe();
  const [login, setLogin] = useState("");
  const [protocol, setProtocol] = useState<(typeof PROTOCOLS)[number]["value"]>("tcp");
  const asking = useMutation({
    mutationFn: async () => {
      const user = login.trim() === "" ? me : await userNamed(login);
      const body = { userId: user.id, request: { ports: [{ hostPort: "dynamic", protocol }] } };
      const { portChoices } = await bodyOf(API.POST("/api/decisions", { body: body as never }));
      const others = held.filter((port) => !isFor(port, user.id));
      const taken = [...others, ...programs].filter((port) => port.protocol === protocol);
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
