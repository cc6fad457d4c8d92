import { type Column, Table } from "../parts/table.tsx";
import { Badge, Moment, UserName } from "../parts/texts.tsx";
import { detailOf, type Entry, strangerOf, targetOf } from "./entry.ts";

const TONES = { done: "plain", refused: "bad", failed: "warn" } as const;

const COLUMNS: readonly Column<Entry>[] = [
  { title: "When", cell: ({ at }) => <Moment at={at} /> },
  { title: "Who", cell: (entry) => (entry.actor === null ? strangerOf(entry) : <UserName id={entry.actor} />) },
  { title: "Action", cell: ({ action, bypass }) => <Action action={action} bypass={bypass} /> },
  { title: "What", cell: (entry) => targetOf(entry) },
  { title: "Outcome", cell: ({ outcome }) => <Badge tone={TONES[outcome]}>{outcome}</Badge> },
  { title: "Detail", cell: (entry) => <span className="detail">{detailOf(entry)}</span> },
];

function Action({ action, bypass }: Pick<Entry, "action" | "bypass">) {
  return (
    <span>
      <span className="mono whole">{action}</span> {bypass && <Badge tone="warn">unbound</Badge>}
    </span>
  );
}

export function EntryTable({ entries }: { readonly entries: readonly Entry[] }) {
  return <Table label="Activity" columns={COLUMNS} rows={entries} keyOf={({ id }) => id} />;
}
