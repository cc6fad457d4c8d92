import type { RefusedUser } from "../api/hosts.ts";
import { Empty } from "../parts/state.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Moment, UserName } from "../parts/texts.tsx";

const MOST_ROWS = 20;

const COLUMNS: readonly Column<RefusedUser>[] = [
  {
    title: "User",
    cell: ({ user }) =>
      user === null ? <span className="quiet">no user</span> : <UserName id={user.id} login={user.login} />,
  },
  { title: "Times", cell: ({ times }) => times.toLocaleString("en") },
  { title: "Last", cell: ({ action }) => <span className="mono whole">{action}</span> },
  { title: "Because", cell: ({ reason }) => <span className="detail">{reason}</span> },
  { title: "Host", cell: ({ host }) => host },
  { title: "When", cell: ({ at }) => <Moment at={at} /> },
];

/** Whom hosts refused how often in the last day, as they report it. */
export function RefusedUsers({ users }: { readonly users: readonly RefusedUser[] }) {
  if (users.length === 0) return <Empty>No host refused anything in the last day.</Empty>;
  return (
    <>
      <Table
        label="Refused on hosts"
        columns={COLUMNS}
        rows={users.slice(0, MOST_ROWS)}
        keyOf={({ host, user }) => `${host} ${user?.id}`}
      />
      {users.length > MOST_ROWS && (
        <p className="hint">
          The first {MOST_ROWS} of {users.length.toLocaleString("en")}.
        </p>
      )}
    </>
  );
}
