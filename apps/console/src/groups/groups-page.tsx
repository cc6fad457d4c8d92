import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { API, bodyOf, faultAt, pageOf } from "../api/client.ts";
import { QUERIES } from "../api/query-client.ts";
import { useMe } from "../api/session.ts";
import { Button } from "../parts/button.tsx";
import { FormDialog } from "../parts/dialog.tsx";
import { TextInput } from "../parts/field.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Pager, usePages } from "../parts/pages.tsx";
import { Empty, ErrorNote, Shown } from "../parts/state.tsx";
import { Table } from "../parts/table.tsx";
import { GroupName, Moment } from "../parts/texts.tsx";

export function GroupsPage() {
  const me = useMe();
  const [q, setQ] = useState("");
  const [isAdding, setAdding] = useState(false);
  const filter = q.trim() === "" ? {} : { q: q.trim() };
  const { asked, pager } = usePages(["groups", filter], (page) =>
    pageOf(API.GET("/api/groups", { params: { query: { ...filter, ...page, sort: "name", count: "true" } } })),
  );
  return (
    <Page
      title="Groups"
      actions={
        me.isAdmin && (
          <Button kind="primary" onPress={() => setAdding(true)}>
            Add a group
          </Button>
        )
      }
    >
      <div className="toolbar">
        <TextInput label="Search" type="search" value={q} onChange={setQ} placeholder="Start of a name" />
      </div>
      <Section title={pager.total === undefined ? "Groups" : `${pager.total.toLocaleString("en")} groups`}>
        <Shown asked={asked}>
          {({ rows }) =>
            rows.length === 0 ? (
              <Empty>No group{q === "" ? " yet" : " matches"}.</Empty>
            ) : (
              <Table
                label="Groups"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  { title: "Name", cell: ({ id, name }) => <GroupName id={id} name={name} /> },
                  { title: "Changed", cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
                ]}
              />
            )
          }
        </Shown>
        <Pager {...pager} />
      </Section>
      {isAdding && <NewGroup onClose={() => setAdding(false)} />}
    </Page>
  );
}

function NewGroup({ onClose }: { readonly onClose: () => void }) {
  const [, go] = useLocation();
  const [name, setName] = useState("");
  const adding = useMutation({
    mutationFn: () => bodyOf(API.POST("/api/groups", { body: { name: name.trim() } as never })),
    onSuccess: ({ id }) => {
      void QUERIES.invalidateQueries({ queryKey: ["groups"] });
      go(`/groups/${id}`);
    },
  });
  return (
    <FormDialog
      title="Add a group"
      action="Add"
      onClose={onClose}
      onSubmit={() => adding.mutate()}
      isPending={adding.isPending}
    >
      <TextInput
        label="Name"
        value={name}
        onChange={setName}
        isRequired
        autoFocus
        fault={faultAt(adding.error, "/name")}
      />
      <ErrorNote error={adding.error} />
    </FormDialog>
  );
}
