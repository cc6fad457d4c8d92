import { useState } from "react";
import { Form } from "react-aria-components";
import { API, bodyOf, faultAt, ifMatch, type Schemas } from "../api/client.ts";
import { QUERIES } from "../api/query-client.ts";
import { useMe } from "../api/session.ts";
import { Button } from "../parts/button.tsx";
import { Choice, TextInput } from "../parts/field.tsx";
import { Section } from "../parts/page.tsx";
import { StaleEdit, useEdit } from "../parts/stale.tsx";
import { ErrorNote, Note } from "../parts/state.tsx";
import { Moment, StateBadge } from "../parts/texts.tsx";
import { FactorFact } from "./factor-fact.tsx";

export type User = Schemas["User"];

/** The fields that the form changes, in texts. */
const FIELDS = { login: "Login", name: "Name", email: "E-mail", role: "Role", active: "State" } as const;
type Field = keyof typeof FIELDS;
type Changes = Partial<Pick<User, Field>>;

const ROLES = [
  { value: "user", text: "User" },
  { value: "operator", text: "Operator" },
  { value: "admin", text: "Administrator" },
] as const;
const STATES = [
  { value: "active", text: "Active" },
  { value: "disabled", text: "Disabled: no sign-in, no tokens" },
] as const;

function textOf(value: string | boolean | null | undefined): string {
  return typeof value === "boolean" ? (value ? "active" : "disabled") : (value ?? "");
}

function patch(user: User, changes: Changes): Promise<User> {
  const params = { path: { id: user.id }, header: ifMatch(user) };
  return bodyOf(API.PATCH("/api/users/{id}", { params, body: changes as never }));
}

export function UserDetails({ user }: { readonly user: User }) {
  const me = useMe();
  const [isEditing, setEditing] = useState(false);
  const mayEdit = me.isAdmin || me.id === user.id;
  return (
    <Section title="Details" actions={mayEdit && !isEditing && <Button onPress={() => setEditing(true)}>Edit</Button>}>
      {isEditing ? (
        <UserForm user={user} onClose={() => setEditing(false)} />
      ) : (
        <dl className="facts">
          <dt>Login</dt>
          <dd>{user.login}</dd>
          <dt>Name</dt>
          <dd>{user.name ?? "–"}</dd>
          <dt>E-mail</dt>
          <dd>{user.email ?? "–"}</dd>
          <dt>Role</dt>
          <dd>
            {user.role}
            {user.kind === "service" && ", a service account"}
          </dd>
          <dt>State</dt>
          <dd>
            <StateBadge active={user.active} />
          </dd>
          {Object.entries(user.fields).map(([name, value]) => (
            <FieldFact key={name} name={name} value={String(value)} />
          ))}
          {user.kind === "person" && (me.isReader || me.id === user.id) && <FactorFact user={user} />}
          <dt>Created</dt>
          <dd>
            <Moment at={user.createdAt} />
          </dd>
        </dl>
      )}
    </Section>
  );
}

function FieldFact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

/** What the user of the form changed. */
function changesOf(base: User, draft: Required<Changes>): Changes {
  const names = (Object.keys(FIELDS) as Field[]).filter((field) => textOf(base[field]) !== textOf(draft[field]));
  return Object.fromEntries(names.map((field) => [field, draft[field]]));
}

function UserForm({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const me = useMe();
  const [base, setBase] = useState(user);
  const [draft, setDraft] = useState<Required<Changes>>(user);
  const changes = changesOf(base, draft);
  const { saving, theirs, error } = useEdit<User>({
    save: (against) => patch(against, changesOf(base, draft)),
    look: () => bodyOf(API.GET("/api/users/{id}", { params: { path: { id: user.id } } })),
    onSaved: (saved) => {
      QUERIES.setQueryData(["user", user.id], saved);
      void QUERIES.invalidateQueries({ queryKey: ["users"] });
      onClose();
    },
  });
  const change = (some: Changes) => setDraft({ ...draft, ...some });
  const fault = (field: Field) => faultAt(saving.error, `/${field}`);
  const isOwnRole = me.id === user.id;
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (Object.keys(changes).length === 0) onClose();
        else saving.mutate(base);
      }}
    >
      <div className="row">
        <TextInput
          label="Login"
          value={draft.login}
          onChange={(login) => change({ login })}
          fault={fault("login")}
          isRequired
        />
        <TextInput
          label="Name"
          value={draft.name ?? ""}
          onChange={(name) => change({ name: name || null })}
          fault={fault("name")}
        />
        <TextInput
          label="E-mail"
          value={draft.email ?? ""}
          onChange={(email) => change({ email: email || null })}
          fault={fault("email")}
        />
      </div>
      {me.isAdmin && (
        <div className="row">
          <Choice
            label="Role"
            value={draft.role}
            isDisabled={isOwnRole}
            onChange={(role) => change({ role })}
            options={ROLES}
          />
          <Choice
            label="State"
            value={draft.active ? "active" : "disabled"}
            isDisabled={isOwnRole}
            onChange={(state) => change({ active: state === "active" })}
            options={STATES}
          />
        </div>
      )}
      {me.isAdmin && isOwnRole && <Note>Another administrator must change your own role or state.</Note>}
      {theirs === undefined ? (
        <ErrorNote error={error} />
      ) : (
        <StaleEdit
          conflicts={conflictsOf(base, theirs, draft)}
          onKeep={() => saving.mutate(theirs)}
          onDiscard={() => {
            QUERIES.setQueryData(["user", user.id], theirs);
            setBase(theirs);
            setDraft(theirs);
            saving.reset();
          }}
        />
      )}
      <div className="actions">
        <Button type="submit" kind="primary" isPending={saving.isPending} isDisabled={theirs !== undefined}>
          Save
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </div>
    </Form>
  );
}

function conflictsOf(base: User, theirs: User, mine: Required<Changes>) {
  const changed = (Object.keys(FIELDS) as Field[]).filter((field) => textOf(theirs[field]) !== textOf(base[field]));
  return changed.map((field) => ({
    field: FIELDS[field],
    theirs: textOf(theirs[field]) || "–",
    mine: textOf(mine[field]) || "–",
  }));
}
