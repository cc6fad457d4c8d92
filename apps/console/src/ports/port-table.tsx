import type { HeldPort, ProgramPort } from "../api/hosts.ts";
import { Empty } from "../parts/state.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Badge, GroupName, Moment, UserName } from "../parts/texts.tsx";
import { type Range, rangeText } from "./free-ports.ts";

/** More rows help nobody: the search is for that. */
const MOST_ROWS = 500;

/** A port that a container holds, that is reserved, or that another program has open. */
type PortRow =
  | { readonly held: HeldPort; readonly program?: undefined }
  | { readonly held?: undefined; readonly program: ProgramPort };

interface PortTableProps {
  readonly held: readonly HeldPort[];
  readonly programs: readonly ProgramPort[];
  /** What was searched for: a number, or part of a name in small letters. */
  readonly q: string;
}

export function PortTable({ held, programs, q }: PortTableProps) {
  const rows: readonly PortRow[] = [...held.map((one) => ({ held: one })), ...programs.map((program) => ({ program }))];
  const found = rows.filter((row) => matches(row, q)).toSorted((a, b) => spanOf(a).start - spanOf(b).start);
  if (found.length === 0) return <Empty>{emptyText(q)}</Empty>;
  return (
    <>
      <Table label="Ports in use" columns={COLUMNS} rows={found.slice(0, MOST_ROWS)} keyOf={keyOf} />
      {found.length > MOST_ROWS && (
        <p className="hint">
          The first {MOST_ROWS} of {found.length.toLocaleString("en")}. Search to see others.
        </p>
      )}
    </>
  );
}

function emptyText(q: string): string {
  if (/^\d+$/.test(q)) return `No container and no other program holds port ${q}, and nobody reserved it.`;
  return q === "" ? "No port is in use, and none is reserved." : "Nothing matches.";
}

function spanOf(row: PortRow): Range {
  return row.program === undefined ? row.held : { start: row.program.port, end: row.program.port };
}

/** What both kinds of port have. */
function endpointOf(row: PortRow): Pick<HeldPort, "host" | "hostIp" | "protocol"> {
  return row.program === undefined ? row.held : row.program;
}

function matches(row: PortRow, q: string): boolean {
  const { start, end } = spanOf(row);
  if (/^\d+$/.test(q)) return start <= Number(q) && Number(q) <= end;
  const { held, program } = row;
  const names = [held?.containerName, held?.ownedBy?.login, held?.reservedFor?.name, program?.command];
  return [...names, endpointOf(row).hostIp].some((text) => text?.toLowerCase().includes(q));
}

function keyOf(row: PortRow): string {
  const { host, hostIp, protocol } = endpointOf(row);
  const { containerId, reservedFor } = row.held ?? {};
  return `${host} ${hostIp} ${spanOf(row).start} ${protocol} ${containerId} ${reservedFor?.type}${reservedFor?.id}`;
}

const COLUMNS: readonly Column<PortRow>[] = [
  {
    title: "Port",
    cell: (row) => <strong>{`${rangeText(spanOf(row))}/${endpointOf(row).protocol}`}</strong>,
  },
  { title: "Interface", cell: (row) => <Interface hostIp={endpointOf(row).hostIp} /> },
  { title: "State", cell: (row) => <PortState row={row} /> },
  { title: "By", cell: (row) => (row.program === undefined ? <Holder port={row.held} /> : programText(row.program)) },
  { title: "To", cell: ({ held }) => held?.containerPort ?? <span className="quiet">–</span> },
  { title: "Host", cell: (row) => endpointOf(row).host },
  {
    title: "Since",
    cell: ({ held }) => (held === undefined ? <span className="quiet">–</span> : <Moment at={held.since} />),
  },
];

function Interface({ hostIp }: { readonly hostIp: string }) {
  return hostIp === "" ? "all" : <span className="mono">{hostIp}</span>;
}

function PortState({ row }: { readonly row: PortRow }) {
  if (row.program !== undefined) return <Badge tone="plain">Program</Badge>;
  return row.held.reservedFor === null ? <Badge tone="good">Held</Badge> : <Badge tone="warn">Reserved</Badge>;
}

function programText({ command, pid }: ProgramPort): string {
  if (pid === null) return "another program";
  return `process ${command ?? ""} (${pid})`;
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
