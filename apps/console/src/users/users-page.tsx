import { useState } from "react";
import { Link } from "wouter";
import { API, pageOf, type Schemas } from "../api/client.ts";
import { useMe } from "../api/session.ts";
import { Button } from "../parts/button.tsx";
import { Choice, TextInput } from "../parts/field.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Pager, usePages } from "../parts/pages.tsx";
import { Empty, Shown } from "../parts/state.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Moment, StateBadge } from "../parts/texts.tsx";
import { NewUser } from "./new-user.tsx";

const ANY = "any";
const ROLES = [
  { value: ANY, text: "Every role" },
  { value: "user", text: "Users" },
  { value: "operator", text: "Operators" },
  { value: "admin", text: "Administrators" },
] as const;
const STATES = [
  { value: ANY, text: "Active and disabled" },
  { value: "true", text: "Active" },
  { value: "false", text: "Disabled" },
] as const;

const ORDERS = [
  { value: "login", text: "A to Z" },
  { value: "-login", text: "Z to A" },
  { value: "-createdAt", text: "Newest first" },
] as const;

export function UsersPage() {
  const me = useMe();
  const [q, setQ] = useState("");
  const [role, setRole] = useState<(typeof ROLES)[number]["value"]>(ANY);
  const [active, setActive] = useState<(typeof STATES)[number]["value"]>(ANY);
  const [sort, setSort] = useState<(typeof ORDERS)[number]["value"]>("login");
  const [isAdding, setAdding] = useState(false);
  const filter = {
    ...(q.trim() === "" ? {} : { q: q.trim() }),
    ...(role === ANY ? {} : { role }),
    ...(active === ANY ? {} : { active }),
  };
  const { asked, pager } = usePages(["users", filter, sort], (page) =>
    pageOf(API.GET("/api/users", { params: { query: { ...filter, ...page, sort, count: "true" } } })),
  );
  return (
    <Page
      title="Users"
      actions={
        me.isAdmin && (
          <Button kind="primary" onPress={() => setAdding(true)}>
            Add a user
          </Button>
        )
      }
    >
      <div className="toolbar">
        <TextInput label="Search" type="search" value={q} onChange={setQ} placeholder="Start of a login or e-mail" />
        <Choice label="Role" value={role} onChange={setRole} options={ROLES} />
        <Choice label="State" value={active} onChange={setActive} options={STATES} />
        <Choice label="Order" value={sort} onChange={setSort} options={ORDERS} />
      </div>
      <Section title={pager.total === undefined ? "Users" : `${pager.total.toLocaleString("en")} users`}>
        <Shown asked={asked}>
          {({ rows }) =>
            rows.length === 0 ? (
              <Empty>No user matches.</Empty>
            ) : (
              <Table label="Users" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
            )
          }
        </Shown>
        <Pager {...pager} />
      </Section>
      {isAdding && <NewUser onClose={() => setAdding(false)} />}
    </Page>
  );
}

const COLUMNS: readonly Column<Schemas["User"]>[] = [
  { title: "Login", cell: ({ id, login }) => <Link href={`/users/${id}`}>{login}</Link> },
  { title: "Name", cell: ({ name }) => name ?? <span className="quiet">–</span> },
  { title: "E-mail", cell: ({ email }) => email ?? <span className="quiet">–</span> },
  { title: "Role", cell: ({ role, kind }) => (kind === "service" ? `${role}, service` : role) },
  { title: "State", cell: ({ active }) => <StateBadge active={active} /> },
  { title: "Changed", cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
];
