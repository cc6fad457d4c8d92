import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { API, pageOf } from "../api/client.ts";
import { containersOn, useHosts } from "../api/hosts.ts";
import { useMe } from "../api/session.ts";
import { Button } from "../parts/button.tsx";
import { Choice, TextInput } from "../parts/field.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Pager, usePages } from "../parts/pages.tsx";
import { Empty, ErrorNote, Shown } from "../parts/state.tsx";
import { UserInput, userNamed } from "../parts/user-input.tsx";
import { EntryTable } from "./entries.tsx";

const OUTCOMES = [
  { value: "any", text: "Every outcome" },
  { value: "done", text: "Done" },
  { value: "refused", text: "Refused" },
  { value: "failed", text: "Failed" },
] as const;
type Outcome = (typeof OUTCOMES)[number]["value"];

/** The record of who did what, in the directory and on the hosts. */
export function ActivityPage() {
  const [filters] = useSearchParams();
  const outcome = OUTCOMES.find(({ value }) => value === filters.get("outcome"))?.value ?? "any";
  const user = filters.get("userId");
  const container = filters.get("container");
  const query = {
    ...(outcome === "any" ? {} : { outcome }),
    ...(user === null ? {} : { user: Number(user) }),
    ...(container === null ? {} : { target: `container/${container}` }),
  };
  const { asked, pager } = usePages(["audit", query], (page) =>
    pageOf(API.GET("/api/audit", { params: { query: { ...query, ...page } } })),
  );
  return (
    <Page title="Activity" actions={<Button onPress={() => void asked.refetch()}>Refresh</Button>}>
      <Filters outcome={outcome} />
      <Section title="Newest first">
        <Shown asked={asked}>
          {({ rows }) => (rows.length === 0 ? <Empty>Nothing matches.</Empty> : <EntryTable entries={rows} />)}
        </Shown>
        <Pager {...pager} />
      </Section>
    </Page>
  );
}

function Filters({ outcome }: { readonly outcome: Outcome }) {
  const me = useMe();
  const hosts = useHosts();
  const [filters, setFilters] = useSearchParams();
  const [login, setLogin] = useState(filters.get("user") ?? "");
  const [container, setContainer] = useState(filters.get("container") ?? "");
  const set = (changes: Readonly<Record<string, string>>) =>
    setFilters((before) => {
      const next = new URLSearchParams(before);
      for (const [name, value] of Object.entries(changes)) value === "" ? next.delete(name) : next.set(name, value);
      return next;
    });
  const applying = useMutation({
    mutationFn: async () => {
      const userId = login.trim() === "" ? "" : String((await userNamed(login)).id);
      const named = containersOn(hosts.data ?? []).find(
        ({ name, id }) => name === container || id.startsWith(container || "-"),
      );
      set({ user: login.trim(), userId, container: named?.id ?? container.trim() });
    },
  });
  return (
    <form
      className="toolbar"
      onSubmit={(event) => {
        event.preventDefault();
        applying.mutate();
      }}
    >
      {me.isReader && <UserInput label="User" value={login} onChange={setLogin} placeholder="Everybody" />}
      <TextInput label="Container" value={container} onChange={setContainer} placeholder="Name or id" />
      <Choice
        label="Outcome"
        value={outcome}
        onChange={(value) => set({ outcome: value === "any" ? "" : value })}
        options={OUTCOMES}
      />
      <Button type="submit" isPending={applying.isPending}>
        Filter
      </Button>
      <ErrorNote error={applying.error} />
    </form>
  );
}
