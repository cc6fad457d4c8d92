import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Form } from "react-aria-components";
import { Link } from "wouter";
import { API, bodyOf, faultAt, pageOf } from "../api/client.ts";
import { QUERIES } from "../api/query-client.ts";
import { useMe } from "../api/session.ts";
import { Button } from "../parts/button.tsx";
import { TextInput } from "../parts/field.tsx";
import { Page, Section } from "../parts/page.tsx";
import { usePages } from "../parts/pages.tsx";
import { ErrorNote, Note } from "../parts/state.tsx";
import { Table } from "../parts/table.tsx";
import { Moment } from "../parts/texts.tsx";
import { Tokens } from "../tokens/tokens.tsx";
import { SecondFactor } from "./second-factor.tsx";

export function AccountPage() {
  const me = useMe();
  return (
    <Page title="Your account">
      <Section title="You">
        <dl className="facts">
          <dt>Login</dt>
          <dd>{me.login}</dd>
          <dt>E-mail</dt>
          <dd>{me.email ?? "–"}</dd>
          <dt>Role</dt>
          <dd>{me.role}</dd>
          <dt>More</dt>
          <dd>
            <Link href={`/users/${me.id}`}>Your limits, groups and details</Link>
          </dd>
        </dl>
      </Section>
      <Invitations userId={me.id} />
      <Password />
      <SecondFactor />
      <Tokens userId={me.id} />
      <p className="hint">
        For programs: <a href="/api/reference">the API&apos;s reference</a>.
      </p>
    </Page>
  );
}

/** Groups that the user may join; nothing without any. */
function Invitations({ userId }: { readonly userId: number }) {
  const key = ["user", userId, "invitations"];
  const { asked } = usePages(key, (page) =>
    pageOf(API.GET("/api/users/{id}/invitations", { params: { path: { id: userId }, query: page } })),
  );
  const answering = useMutation({
    mutationFn: ({ id, accepts }: { readonly id: number; readonly accepts: boolean }) => {
      const params = { path: { id, userId } };
      const path = "/api/groups/{id}/members/{userId}";
      return accepts ? bodyOf(API.PUT(path, { params })) : bodyOf(API.DELETE(path, { params }));
    },
    onSettled: () => QUERIES.invalidateQueries({ queryKey: ["user", userId] }),
  });
  const rows = asked.data?.rows ?? [];
  if (rows.length === 0) return null;
  return (
    <Section title="Invitations">
      <ErrorNote error={answering.error} />
      <Table
        label="Invitations"
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { title: "Group", cell: ({ name }) => name },
          { title: "Since", cell: ({ invitedAt }) => <Moment at={invitedAt} /> },
          {
            title: "Answer",
            align: "end",
            cell: ({ id }) => (
              <span className="actions">
                <Button onPress={() => answering.mutate({ id, accepts: true })}>Join</Button>
                <Button kind="quiet" onPress={() => answering.mutate({ id, accepts: false })}>
                  Decline
                </Button>
              </span>
            ),
          },
        ]}
      />
    </Section>
  );
}

function Password() {
  const [current, setCurrent] = useState("");
  const [pass, setPass] = useState("");
  const saving = useMutation({
    mutationFn: () =>
      bodyOf(API.PUT("/api/me/pass", { body: { current: current === "" ? null : current, pass } as never })),
    onSuccess: () => {
      setCurrent("");
      setPass("");
      void QUERIES.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes("tokens") });
    },
  });
  return (
    <Section title="Password">
      <Form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <div className="row">
          <TextInput
            label="Present password"
            type="password"
            value={current}
            onChange={setCurrent}
            autoComplete="current-password"
          />
          <TextInput
            label="New password"
            type="password"
            value={pass}
            onChange={setPass}
            autoComplete="new-password"
            isRequired
            fault={faultAt(saving.error, "/pass")}
          />
        </div>
        <ErrorNote error={saving.error} />
        {saving.isSuccess && <Note>Your password is changed, and your other tokens are revoked.</Note>}
        <div className="actions">
          <Button type="submit" isPending={saving.isPending}>
            Change
          </Button>
        </div>
      </Form>
    </Section>
  );
}
