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
import { GroupName, Moment } from "../parts/texts.tsx";

/** The groups of a user, and for administrators the way in and out. */
export function UserGroups({ userId }: { readonly userId: number }) {
  const me = useMe();
  const [name, setName] = useState("");
  const { asked, pager } = usePages(["user", userId, "groups"], (page) =>
    pageOf(API.GET("/api/users/{id}/groups", { params: { path: { id: userId }, query: page } })),
  );
  const refresh = () => QUERIES.invalidateQueries({ queryKey: ["user", userId] });
  const adding = useMutation({
    mutationFn: async () => {
      const id = await groupNamed(name.trim());
      await bodyOf(API.PUT("/api/groups/{id}/members/{userId}", { params: { path: { id, userId } } }));
    },
    onSuccess: () => setName(""),
    onSettled: refresh,
  });
  const removing = useMutation({
    mutationFn: (id: number) =>
      bodyOf(API.DELETE("/api/groups/{id}/members/{userId}", { params: { path: { id, userId } } })),
    onSettled: refresh,
  });
  return (
    <Section title="Groups">
      {me.isAdmin && (
        <AddBar onAdd={() => adding.mutate()} isPending={adding.isPending}>
          <TextInput
            label="Add to a group"
            value={name}
            onChange={setName}
            placeholder="Name of the group"
            isRequired
          />
        </AddBar>
      )}
      <ErrorNote error={adding.error ?? removing.error} />
      <Shown asked={asked}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty>In no group.</Empty>
          ) : (
            <Table
              label="Groups of the user"
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                { title: "Group", cell: ({ id, name: group }) => <GroupName id={id} name={group} /> },
                { title: "As", cell: ({ membership }) => membership },
                { title: "Changed", cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
                {
                  title: "Actions",
                  align: "end",
                  cell: ({ id, name: group }) =>
                    me.isAdmin && (
                      <Button kind="quiet" label={`Take out of ${group}`} onPress={() => removing.mutate(id)}>
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
