import { RESOURCES, type Resource } from "@berth/directory-domain";
import type { Schemas } from "../api/client.ts";
import { numberText, RESOURCE_TEXTS } from "../constraints/describe.ts";
import { Empty } from "../parts/state.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { UserName } from "../parts/texts.tsx";

/** From which part of a quota on it is near its end. */
const NEAR = 0.8;

interface Filled {
  readonly user: { readonly id: number; readonly login: string };
  readonly resource: Resource;
  readonly used: number;
  readonly max: number;
}

interface QuotasProps {
  readonly usage: readonly Schemas["Usage"][];
  /** Whether to show every quota and not only those near their end. */
  readonly isOwn: boolean;
}

export function Quotas({ usage, isOwn }: QuotasProps) {
  const rows = usage.flatMap(filledOf).filter(({ used, max }) => isOwn || used >= max * NEAR);
  if (rows.length === 0)
    return <Empty>{isOwn ? "You have no container that a quota counts." : "Nobody is near the end of a quota."}</Empty>;
  const sorted = rows.toSorted((a, b) => share(b) - share(a));
  const columns = isOwn ? COLUMNS.slice(1) : COLUMNS;
  return (
    <Table label="Quotas" columns={columns} rows={sorted} keyOf={({ user, resource }) => `${user.id} ${resource}`} />
  );
}

function filledOf({ user, used, quotas }: Schemas["Usage"]): readonly Filled[] {
  return RESOURCES.flatMap((resource) => {
    const max = quotas[resource];
    const amount = used[resource];
    return max === undefined || amount === undefined ? [] : [{ user, resource, used: amount, max }];
  });
}

function share({ used, max }: Filled): number {
  return max === 0 ? 1 : used / max;
}

const COLUMNS: readonly Column<Filled>[] = [
  { title: "User", cell: ({ user }) => <UserName id={user.id} login={user.login} /> },
  { title: "Of what", cell: ({ resource }) => RESOURCE_TEXTS[resource] },
  {
    title: "Used",
    cell: (filled) => (
      <span className="meter">
        <meter
          aria-label={`${RESOURCE_TEXTS[filled.resource]} used`}
          min={0}
          max={1}
          high={NEAR}
          optimum={0}
          value={Math.min(share(filled), 1)}
        />
        <span>
          {numberText(filled.resource, filled.used)} of {numberText(filled.resource, filled.max)}
        </span>
      </span>
    ),
  },
];
