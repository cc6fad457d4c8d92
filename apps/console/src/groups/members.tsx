import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { API, bodyOf, pageOf } from "../api/client.ts";
import { QUERIES } from "../api/query-client.ts";
import { useMe } from "../api/session.ts";
import { AddBar } from "../parts/add-bar.tsx";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/field.tsx";
import { Section } from "../parts/page.tsx";
import { Pager, usePages } from "../parts/pages.tsx";
import { Empty, ErrorNote, Shown } from "../parts/state.tsx";
import { Table } from "../parts/table.tsx";
import { StateBadge, UserName } from "../parts/texts.tsx";
import { UserInput, userNamed } from "../parts/user-input.tsx";

const ROLES = [
  { value: "member", text: "Member" },
  { value: "manager", text: "Manager" },
] as const;
type Role = (typeof ROLES)[number]["value"];

/** The members of a group, and for administrators the way in and out. */
export function Members({ groupId }: { readonly groupId: number }) {
  const me = useMe();
  const [login, setLogin] = useState("");
  const [role, setRole] = useState<Role>("member");
  const key = ["group", groupId, "members"];
  const { asked, pager } = usePages(key, (page) =>
    pageOf(API.GET("/api/groups/{id}/members", { params: { path: { id: groupId }, query: page } })),
  );
  const refresh = () => QUERIES.invalidateQueries({ queryKey: key });
  const put = (userId: number, as: Role) =>
    bodyOf(
      API.PUT("/api/groups/{id}/members/{userId}", {
        params: { path: { id: groupId, userId }, query: { role: as } },
      }),
    );
  const adding = useMutation({
    mutationFn: async () => put((await userNamed(login)).id, role),
    onSuccess: () => setLogin(""),
    onSettled: refresh,
  });
  const removing = useMutation({
    mutationFn: (userId: number) =>
      bodyOf(API.DELETE("/api/groups/{id}/members/{userId}", { params: { path: { id: groupId, userId } } })),
    onSettled: refresh,
  });
  return (
    <Section title="Members">
      {me.isAdmin && (
        <AddBar onAdd={() => adding.mutate()} isPending={adding.isPending}>
          <UserInput label="Add a user" value={login} onChange={setLogin} />
          <Choice label="As" value={role} onChange={setRole} options={ROLES} />
        </AddBar>
      )}
      <ErrorNote error={adding.error ?? removing.error} />
      <Shown asked={asked}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty>Nobody is in this group.</Empty>
          ) : (
            <Table
              label="Members"
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                { title: "Login", cell: (user) => <UserName id={user.id} login={user.login} /> },
                { title: "Name", cell: ({ name }) => name ?? <span className="quiet">–</span> },
                { title: "As", cell: ({ membership }) => membership },
                { title: "State", cell: ({ active }) => <StateBadge active={active} /> },
                {
                  title: "Actions",
                  align: "end",
                  cell: (user) =>
                    me.isAdmin && (
                      <Button kind="quiet" label={`Take out ${user.login}`} onPress={() => removing.mutate(user.id)}>
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
