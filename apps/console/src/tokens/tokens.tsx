import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { API, bodyOf, faultAt, pageOf, type Schemas } from "../api/client.ts";
import { QUERIES } from "../api/query-client.ts";
import { useMe } from "../api/session.ts";
import { Button } from "../parts/button.tsx";
import { Confirm, Dialog, FormDialog } from "../parts/dialog.tsx";
import { TextInput, Tick } from "../parts/field.tsx";
import { Section } from "../parts/page.tsx";
import { Pager, usePages } from "../parts/pages.tsx";
import { Empty, ErrorNote, Shown } from "../parts/state.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Moment } from "../parts/texts.tsx";

type Token = Schemas["Token"];

const SCOPES = [
  ["engine", "Use Docker on the hosts"],
  ["read", "Read in the directory"],
  ["write", "Change in the directory"],
] as const;
type Scope = (typeof SCOPES)[number][0];

/** A user's tokens: list, make, revoke. */
export function Tokens({ userId }: { readonly userId: number }) {
  const me = useMe();
  const [isMaking, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<Token>();
  const { asked, pager } = usePages(["user", userId, "tokens"], (page) =>
    pageOf(API.GET("/api/tokens", { params: { query: { userId, ...page } } })),
  );
  const revoking = useMutation({
    mutationFn: ({ id }: Token) => bodyOf(API.DELETE("/api/tokens/{id}", { params: { path: { id } } })),
    onSuccess: () => setRevoked(undefined),
    onSettled: () => QUERIES.invalidateQueries({ queryKey: ["user", userId, "tokens"] }),
  });
  const columns: readonly Column<Token>[] = [
    { title: "Label", cell: ({ id, label }) => (id === me.tokenId ? `${label} (this session)` : label) },
    { title: "Opens", cell: ({ scopes }) => scopes.join(", ") },
    { title: "Last used", cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
    { title: "Expires", cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
    { title: "Made", cell: ({ createdAt }) => <Moment at={createdAt} /> },
    {
      title: "Actions",
      align: "end",
      cell: (token) => (
        <Button kind="quiet" label={`Revoke ${token.label}`} onPress={() => setRevoked(token)}>
          Revoke
        </Button>
      ),
    },
  ];
  return (
    <Section title="Tokens" actions={<Button onPress={() => setMaking(true)}>Make a token</Button>}>
      <Shown asked={asked}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty>No token. One with “Use Docker on the hosts” lets a Docker client in.</Empty>
          ) : (
            <Table label="Tokens" columns={columns} rows={rows} keyOf={({ id }) => id} />
          )
        }
      </Shown>
      <Pager {...pager} />
      {isMaking && <NewToken userId={userId} onClose={() => setMaking(false)} />}
      {revoked !== undefined && (
        <Confirm
          title={`Revoke ${revoked.label}?`}
          action="Revoke"
          onConfirm={() => revoking.mutate(revoked)}
          onClose={() => setRevoked(undefined)}
          isPending={revoking.isPending}
          error={revoking.error}
        >
          <p>Whatever uses it is refused from now on.</p>
        </Confirm>
      )}
    </Section>
  );
}

function NewToken({ userId, onClose }: { readonly userId: number; readonly onClose: () => void }) {
  const [label, setLabel] = useState("");
  const [scopes, setScopes] = useState<readonly Scope[]>(["engine"]);
  const [expires, setExpires] = useState("");
  const making = useMutation({
    mutationFn: () => {
      const expiresAt = expires === "" ? null : new Date(expires).toISOString();
      const body = { label: label.trim(), scopes: [...scopes], userId, expiresAt };
      return bodyOf(API.POST("/api/tokens", { body: body as never }));
    },
    onSettled: () => QUERIES.invalidateQueries({ queryKey: ["user", userId, "tokens"] }),
  });
  if (making.data !== undefined)
    return (
      <Dialog title="The token is made" onClose={onClose}>
        <div className="form">
          <p>Copy it now: it is not shown again.</p>
          <p className="secret">{making.data.token}</p>
          {scopes.includes("engine") && (
            <p className="hint">
              For Docker, put it into <code>~/.docker/config.json</code>:{" "}
              <code>{`{"HttpHeaders": {"Authorization": "Bearer bth_…"}}`}</code>
            </p>
          )}
          <div className="actions">
            <Button kind="primary" onPress={onClose}>
              Done
            </Button>
          </div>
        </div>
      </Dialog>
    );
  return (
    <FormDialog
      title="Make a token"
      action="Make"
      onClose={onClose}
      onSubmit={() => making.mutate()}
      isPending={making.isPending}
      isDisabled={scopes.length === 0}
    >
      <TextInput
        label="What for"
        value={label}
        onChange={setLabel}
        placeholder="laptop"
        isRequired
        autoFocus
        fault={faultAt(making.error, "/label")}
      />
      {SCOPES.map(([scope, text]) => (
        <Tick
          key={scope}
          isSelected={scopes.includes(scope)}
          onChange={(isOn) => setScopes(isOn ? [...scopes, scope] : scopes.filter((one) => one !== scope))}
        >
          {text}
        </Tick>
      ))}
      <TextInput label="Expires" type="datetime-local" value={expires} onChange={setExpires} hint="Empty for never." />
      <ErrorNote error={making.error} />
    </FormDialog>
  );
}
