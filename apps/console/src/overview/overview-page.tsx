import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { EntryTable } from "../activity/entries.tsx";
import { API, bodyOf } from "../api/client.ts";
import {
  type Container,
  containersOn,
  type Host,
  isQuiet,
  portsOn,
  refusedOn,
  useHosts,
  useUsage,
} from "../api/hosts.ts";
import { useMe } from "../api/session.ts";
import { Page, Section } from "../parts/page.tsx";
import { Empty, Shown } from "../parts/state.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Badge, Moment, UserName } from "../parts/texts.tsx";
import { Quotas } from "./quotas.tsx";
import { RefusedUsers } from "./refused-users.tsx";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** As many entries as the directory gives at once. */
const MOST_REFUSALS = 200;
const SHOWN_REFUSALS = 8;
const MOST_CONTAINERS = 200;

export function OverviewPage() {
  const me = useMe();
  const hosts = useHosts();
  const usage = useUsage();
  const refusals = useRefusals();
  return (
    <Page title="Overview">
      <div className="tiles">
        <Tile title="Containers running" value={countRunning(hosts.data)} more={ofAll(hosts.data)} />
        <Tile
          title="Ports held"
          value={hosts.data && portsOn(hosts.data).filter(({ reservedFor }) => reservedFor === null).length}
        />
        {me.isReader && <Tile title="Hosts" value={hosts.data?.length} more={quietHosts(hosts.data)} />}
        <Tile title="Refused in the last day" value={refusals.data && countText(refusals.data.length)} />
      </div>
      <Section title={me.isReader ? "Quotas near their end" : "Your quotas"}>
        <Shown asked={usage}>{(used) => <Quotas usage={used} isOwn={!me.isReader} />}</Shown>
      </Section>
      {me.isReader && (
        <Section title="Refused on hosts in the last day">
          <Shown asked={hosts}>{(known) => <RefusedUsers users={refusedOn(known)} />}</Shown>
        </Section>
      )}
      <Section title="Latest refusals" actions={<Link href="/activity?outcome=refused">All</Link>}>
        <Shown asked={refusals}>
          {(entries) =>
            entries.length === 0 ? (
              <Empty>Nothing was refused in the last day.</Empty>
            ) : (
              <EntryTable entries={entries.slice(0, SHOWN_REFUSALS)} />
            )
          }
        </Shown>
      </Section>
      <Section title="Containers">
        <Shown asked={hosts}>{(known) => <Containers containers={containersOn(known)} />}</Shown>
      </Section>
      {me.isReader && (
        <Section title="Hosts">
          <Shown asked={hosts}>
            {(known) =>
              known.length === 0 ? (
                <Empty>No host has reported yet. A container service reports with a token of the scope “report”.</Empty>
              ) : (
                <Table label="Hosts" columns={HOST_COLUMNS} rows={known} keyOf={({ name }) => name} />
              )
            }
          </Shown>
        </Section>
      )}
    </Page>
  );
}

function useRefusals() {
  // To the hour, so that the question stays the same while the page is open.
  const since = new Date(Math.floor((Date.now() - DAY_MS) / HOUR_MS) * HOUR_MS).toISOString();
  return useQuery({
    queryKey: ["audit", "refused", since],
    refetchInterval: 15_000,
    queryFn: () =>
      bodyOf(API.GET("/api/audit", { params: { query: { outcome: "refused", since, limit: MOST_REFUSALS } } })),
  });
}

function countText(count: number): string {
  return count === MOST_REFUSALS ? `${count}+` : String(count);
}

function countRunning(hosts: readonly Host[] | undefined): number | undefined {
  return hosts && containersOn(hosts).filter(({ state }) => state === "running").length;
}

function ofAll(hosts: readonly Host[] | undefined): string {
  return hosts === undefined ? "" : `of ${containersOn(hosts).length.toLocaleString("en")}`;
}

function quietHosts(hosts: readonly Host[] | undefined): string {
  const quiet = hosts?.filter(isQuiet).length ?? 0;
  return quiet === 0 ? "" : `${quiet} not heard from`;
}

interface TileProps {
  readonly title: string;
  readonly value: number | string | undefined;
  readonly more?: string;
}

function Tile({ title, value, more = "" }: TileProps) {
  return (
    <div className="tile">
      <span className="quiet">{title}</span>
      <strong>{value === undefined ? "–" : value.toLocaleString("en")}</strong>
      <span className="hint">{more}</span>
    </div>
  );
}

const STATE_TONES = { running: "good", paused: "warn", restarting: "warn", dead: "bad" } as const;

const CONTAINER_COLUMNS: readonly Column<Container>[] = [
  { title: "Name", cell: ({ name }) => name },
  {
    title: "State",
    cell: ({ state }) => <Badge tone={STATE_TONES[state as keyof typeof STATE_TONES] ?? "plain"}>{state}</Badge>,
  },
  { title: "Image", cell: ({ image }) => <span className="mono">{image}</span> },
  {
    title: "Owner",
    cell: ({ ownedBy }) =>
      ownedBy === null ? (
        <span className="quiet">an administrator</span>
      ) : (
        <UserName id={ownedBy.id} login={ownedBy.login} />
      ),
  },
  { title: "Host", cell: ({ host }) => host },
  { title: "Started", cell: ({ startedAt }) => <Moment at={startedAt} /> },
  {
    title: "Record",
    align: "end",
    cell: ({ id, name }) => (
      <Link href={`/activity?container=${id}`} aria-label={`Activity of ${name}`}>
        Activity
      </Link>
    ),
  },
];

function Containers({ containers }: { readonly containers: readonly Container[] }) {
  if (containers.length === 0) return <Empty>No containers.</Empty>;
  return (
    <>
      <Table
        label="Containers"
        columns={CONTAINER_COLUMNS}
        rows={containers.slice(0, MOST_CONTAINERS)}
        keyOf={({ id }) => id}
      />
      {containers.length > MOST_CONTAINERS && (
        <p className="hint">
          The first {MOST_CONTAINERS} of {containers.length.toLocaleString("en")}.
        </p>
      )}
    </>
  );
}

const HOST_COLUMNS: readonly Column<Host>[] = [
  { title: "Host", cell: ({ name }) => name },
  {
    title: "State",
    cell: (host) => (isQuiet(host) ? <Badge tone="bad">Not heard from</Badge> : <Badge tone="good">Reporting</Badge>),
  },
  { title: "Reported", cell: ({ reportedAt }) => <Moment at={reportedAt} /> },
  { title: "Containers", cell: ({ containers }) => containers.length },
  { title: "Version", cell: ({ engineVersion }) => engineVersion },
];
