import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { useLocation } from "wouter";
import { API, bodyOf, faultAt, ifMatch, type Schemas } from "../api/client.ts";
import { QUERIES } from "../api/query-client.ts";
import { useMe } from "../api/session.ts";
import { OwnConstraints } from "../constraints/own-constraints.tsx";
import { Button } from "../parts/button.tsx";
import { Confirm, FormDialog } from "../parts/dialog.tsx";
import { TextInput } from "../parts/field.tsx";
import { Page } from "../parts/page.tsx";
import { StaleEdit, useEdit } from "../parts/stale.tsx";
import { ErrorNote, Failure, Loading } from "../parts/state.tsx";
import { Members } from "./members.tsx";
import { Subgroups } from "./subgroups.tsx";

type Group = Schemas["Group"];

export function GroupPage({ id }: { readonly id: number }) {
  const asked = useQuery({
    queryKey: ["group", id],
    queryFn: () => bodyOf(API.GET("/api/groups/{id}", { params: { path: { id } } })),
    retry: false,
  });
  if (asked.data !== undefined) return <KnownGroup group={asked.data} />;
  return (
    <Page title="Group">
      {asked.error === null ? <Loading /> : <Failure error={asked.error} retry={() => void asked.refetch()} />}
    </Page>
  );
}

function KnownGroup({ group }: { readonly group: Group }) {
  const me = useMe();
  return (
    <Page title={group.name} actions={me.isAdmin && <GroupActions group={group} />}>
      <Tabs>
        <TabList className="tabs" aria-label="About the group">
          <Tab id="constraints">Constraints</Tab>
          <Tab id="members">Members</Tab>
          {me.isReader && <Tab id="subgroups">Subgroups</Tab>}
        </TabList>
        <TabPanel id="constraints" className="panel">
          <OwnConstraints owner={{ type: "group", id: group.id }} />
        </TabPanel>
        <TabPanel id="members" className="panel">
          <Members groupId={group.id} />
        </TabPanel>
        <TabPanel id="subgroups" className="panel">
          <Subgroups groupId={group.id} />
        </TabPanel>
      </Tabs>
    </Page>
  );
}

function GroupActions({ group }: { readonly group: Group }) {
  const [, go] = useLocation();
  const [open, setOpen] = useState<"rename" | "remove">();
  const close = () => setOpen(undefined);
  const removing = useMutation({
    mutationFn: () =>
      bodyOf(API.DELETE("/api/groups/{id}", { params: { path: { id: group.id }, header: ifMatch(group) } })),
    onSuccess: () => {
      void QUERIES.invalidateQueries({ queryKey: ["groups"] });
      go("/groups");
    },
  });
  return (
    <>
      <Button onPress={() => setOpen("rename")}>Rename</Button>
      <Button kind="danger" onPress={() => setOpen("remove")}>
        Remove
      </Button>
      {open === "rename" && <Rename group={group} onClose={close} />}
      {open === "remove" && (
        <Confirm
          title={`Remove the group ${group.name}?`}
          action="Remove"
          onConfirm={() => removing.mutate()}
          onClose={close}
          isPending={removing.isPending}
          error={removing.error}
        >
          <p>Its constraints go with it, so its limits and grants end for its members. The users stay.</p>
        </Confirm>
      )}
    </>
  );
}

function Rename({ group, onClose }: { readonly group: Group; readonly onClose: () => void }) {
  const [name, setName] = useState(group.name);
  const { saving, theirs, error } = useEdit<Group>({
    save: (against) => {
      const params = { path: { id: group.id }, header: ifMatch(against) };
      return bodyOf(API.PATCH("/api/groups/{id}", { params, body: { name: name.trim() } as never }));
    },
    look: () => bodyOf(API.GET("/api/groups/{id}", { params: { path: { id: group.id } } })),
    onSaved: (saved) => {
      QUERIES.setQueryData(["group", group.id], saved);
      onClose();
    },
  });
  return (
    <FormDialog
      title="Rename the group"
      action="Save"
      onClose={onClose}
      onSubmit={() => saving.mutate(group)}
      isPending={saving.isPending}
      isDisabled={theirs !== undefined}
    >
      <TextInput
        label="Name"
        value={name}
        onChange={setName}
        isRequired
        autoFocus
        fault={faultAt(saving.error, "/name")}
      />
      {theirs === undefined ? (
        <ErrorNote error={error} />
      ) : (
        <StaleEdit
          conflicts={theirs.name === group.name ? [] : [{ field: "Name", theirs: theirs.name, mine: name }]}
          onKeep={() => saving.mutate(theirs)}
          onDiscard={() => {
            QUERIES.setQueryData(["group", group.id], theirs);
            onClose();
          }}
        />
      )}
    </FormDialog>
  );
}
