import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { API, bodyOf, ifMatch, pageOf } from "../api/client.ts";
import { QUERIES } from "../api/query-client.ts";
import { useMe } from "../api/session.ts";
import { Button } from "../parts/button.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { Section } from "../parts/page.tsx";
import { Pager, usePages } from "../parts/pages.tsx";
import { Empty, Shown } from "../parts/state.tsx";
import { Table } from "../parts/table.tsx";
import { Badge, Moment } from "../parts/texts.tsx";
import { ConstraintDialog, type OwnerRef } from "./constraint-dialog.tsx";
import { type Shown as Constraint, describeValue, EFFECT_TEXTS, KIND_TEXTS, kindOf } from "./describe.ts";

/** The constraints of one user or group, for administrators to change. */
export function OwnConstraints({ owner }: { readonly owner: OwnerRef }) {
  const me = useMe();
  const [open, setOpen] = useState<{ readonly is: "edit" | "remove"; readonly constraint?: Constraint }>();
  const { asked, pager } = usePages([owner.type, owner.id, "constraints"], (page) => {
    const path = owner.type === "user" ? "/api/users/{id}/constraints" : "/api/groups/{id}/constraints";
    return pageOf(API.GET(path, { params: { path: { id: owner.id }, query: page } }));
  });
  const close = () => setOpen(undefined);
  const removing = useMutation({
    mutationFn: ({ id, version = 0 }: Constraint) =>
      bodyOf(API.DELETE("/api/constraints/{id}", { params: { path: { id }, header: ifMatch({ version }) } })),
    onSuccess: close,
    onSettled: () => QUERIES.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes("constraints") }),
  });
  return (
    <Section
      title="Constraints"
      actions={me.isAdmin && <Button onPress={() => setOpen({ is: "edit" })}>Add a constraint</Button>}
    >
      <Shown asked={asked}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty>No constraint of its own. What holds for everybody and for its groups holds here too.</Empty>
          ) : (
            <Table
              label="Constraints"
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                { title: "About", cell: (one) => KIND_TEXTS[kindOf(one) ?? "quota"] },
                { title: "Effect", cell: (one) => <EffectBadge constraint={one} /> },
                { title: "Value", cell: (one) => <span className="mono">{describeValue(one)}</span> },
                { title: "Note", cell: ({ note }) => note ?? <span className="quiet">–</span> },
                { title: "Expires", cell: ({ expiresAt }) => <Moment at={expiresAt ?? null} /> },
                {
                  title: "Actions",
                  align: "end",
                  cell: (constraint) =>
                    me.isAdmin && (
                      <span className="actions">
                        <Button kind="quiet" onPress={() => setOpen({ is: "edit", constraint })}>
                          Change
                        </Button>
                        <Button kind="quiet" onPress={() => setOpen({ is: "remove", constraint })}>
                          Remove
                        </Button>
                      </span>
                    ),
                },
              ]}
            />
          )
        }
      </Shown>
      <Pager {...pager} />
      {open?.is === "edit" && <ConstraintDialog owner={owner} constraint={open.constraint} onClose={close} />}
      {open?.is === "remove" && open.constraint !== undefined && (
        <Confirm
          title="Remove the constraint?"
          action="Remove"
          onConfirm={() => open.constraint && removing.mutate(open.constraint)}
          onClose={close}
          isPending={removing.isPending}
          error={removing.error}
        >
          <p>
            {EFFECT_TEXTS[open.constraint.effect ?? "limit"]} {describeValue(open.constraint)}. It stops to apply at
            once.
          </p>
        </Confirm>
      )}
    </Section>
  );
}

export function EffectBadge({ constraint: { effect } }: { readonly constraint: Pick<Constraint, "effect"> }) {
  if (effect === undefined) return <Badge tone="bad">Refuses all</Badge>;
  const tones = { grant: "good", limit: "warn", deny: "bad" } as const;
  return <Badge tone={tones[effect]}>{EFFECT_TEXTS[effect]}</Badge>;
}
