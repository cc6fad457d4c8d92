import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { API, bodyOf, pageOf } from "../api/client.ts";
import { groupNamed } from "../api/group-named.ts";
import { QUERIES } from "../api/query-client.ts";
import { useMe } from "../api/session.ts";
import { AddBar } from "../parts/add-bar.tsx";
import { Button } from "../parts/button.tsx";
import { TextInput } from "../parts/field.tsx";
import { Section } from "../parts/page.tsx";
import { Pager, usePages } from "../parts/pages.tsx";
import { Empty, ErrorNote, Shown } from "../parts/state.tsx";
import { Table } from "../parts/table.tsx";
import { GroupName } from "../parts/texts.tsx";

/** The groups within a group: its constraints bind their members too. */
export function Subgroups({ groupId }: { readonly groupId: number }) {
  const me = useMe();
  const [name, setName] = useState("");
  const key = ["group", groupId, "subgroups"];
  const { asked, pager } = usePages(key, (page) =>
    pageOf(API.GET("/api/groups/{id}/subgroups", { params: { path: { id: groupId }, query: page } })),
  );
  const refresh = () => QUERIES.invalidateQueries({ queryKey: key });
  const pathOf = (subgroupId: number) => ({ params: { path: { id: groupId, subgroupId } } });
  const adding = useMutation({
    mutationFn: async () => bodyOf(API.PUT("/api/groups/{id}/subgroups/{subgroupId}", pathOf(await groupNamed(name)))),
    onSuccess: () => setName(""),
    onSettled: refresh,
  });
  const removing = useMutation({
    mutationFn: (id: number) => bodyOf(API.DELETE("/api/groups/{id}/subgroups/{subgroupId}", pathOf(id))),
    onSettled: refresh,
  });
  return (
    <Section title="Subgroups">
      {me.isAdmin && (
        <AddBar onAdd={() => adding.mutate()} isPending={adding.isPending}>
          <TextInput label="Make a group part of this one" value={name} onChange={setName} isRequired />
        </AddBar>
      )}
      <ErrorNote error={adding.error ?? removing.error} />
      <Shown asked={asked}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty>No group is part of this one.</Empty>
          ) : (
            <Table
              label="Subgroups"
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                { title: "Name", cell: (group) => <GroupName id={group.id} name={group.name} /> },
                {
                  title: "Actions",
                  align: "end",
                  cell: (group) =>
                    me.isAdmin && (
                      <Button kind="quiet" label={`Take out ${group.name}`} onPress={() => removing.mutate(group.id)}>
                        Take out
                      </Button>
                    ),
                },
              ]}
            />
          )
        }
      </Shown>
      <Pager {...pager} />
    </Section>
  );
}
