import { EFFECTS, KINDS } from "@berth/directory-domain";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { API, bodyOf, ifMatch } from "../api/client.ts";
import { QUERIES } from "../api/query-client.ts";
import { Button } from "../parts/button.tsx";
import { FormDialog } from "../parts/dialog.tsx";
import { Choice, TextInput } from "../parts/field.tsx";
import { isStale } from "../parts/stale.tsx";
import { ErrorNote } from "../parts/state.tsx";
import { ConstraintFields } from "./constraint-fields.tsx";
import { describeValue, EFFECT_TEXTS, KIND_TEXTS, type Shown } from "./describe.ts";
import { type Draft, draftOf, NEW_DRAFT, type NewConstraint, readDraft } from "./draft.ts";

export interface OwnerRef {
  readonly type: "user" | "group";
  readonly id: number;
}

interface DialogProps {
  readonly owner: OwnerRef;
  /** The constraint to change; a new one without it. */
  readonly constraint?: Shown | undefined;
  readonly onClose: () => void;
}

async function save(owner: OwnerRef, constraint: Shown | undefined, body: NewConstraint): Promise<void> {
  if (constraint === undefined) {
    const path = owner.type === "user" ? "/api/users/{id}/constraints" : "/api/groups/{id}/constraints";
    await bodyOf(API.POST(path, { params: { path: { id: owner.id } }, body }));
  } else {
    const params = { path: { id: constraint.id }, header: ifMatch({ version: constraint.version ?? 0 }) };
    await bodyOf(API.PUT("/api/constraints/{id}", { params, body }));
  }
}

export function ConstraintDialog({ owner, constraint: first, onClose }: DialogProps) {
  // Somebody else's newer version takes its place when the user has seen it.
  const [constraint, setConstraint] = useState(first);
  const [draft, setDraft] = useState<Draft>(() => (first && draftOf(first)) ?? NEW_DRAFT);
  const read = readDraft(draft);
  const saving = useMutation({
    mutationFn: (body: NewConstraint) => save(owner, constraint, body),
    onSuccess: onClose,
    onSettled: () => QUERIES.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes("constraints") }),
  });
  const isShared = draft.kind === "shared-quota";
  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
  const kinds = KINDS.filter((kind) => owner.type === "group" || kind !== "shared-quota");
  const isOutdated = isStale(saving.error) && constraint !== undefined;
  return (
    <FormDialog
      title={constraint === undefined ? "Add a constraint" : "Change the constraint"}
      action={constraint === undefined ? "Add" : "Save"}
      onClose={onClose}
      onSubmit={() => {
        if (read.ok) saving.mutate(read.value);
      }}
      isDisabled={!read.ok || isOutdated}
      isPending={saving.isPending}
    >
      <div className="row">
        <Choice
          label="About"
          value={draft.kind}
          isDisabled={constraint !== undefined}
          onChange={(kind) => change({ kind, effect: kind === "shared-quota" ? "limit" : draft.effect })}
          options={kinds.map((value) => ({ value, text: KIND_TEXTS[value] }))}
        />
        <Choice
          label="Effect"
          value={draft.effect}
          isDisabled={isShared}
          onChange={(effect) => change({ effect })}
          options={EFFECTS.map((value) => ({ value, text: EFFECT_TEXTS[value] }))}
        />
      </div>
      <ConstraintFields draft={draft} change={change} fault={read.ok || isUntouched(draft) ? undefined : read.error} />
      <TextInput label="Note" value={draft.note} onChange={(note) => change({ note })} placeholder="Why it exists" />
      <TextInput
        label="Expires"
        type="datetime-local"
        value={draft.expires}
        onChange={(expires) => change({ expires })}
        hint="Empty for never."
      />
      {isOutdated ? (
        <StaleNote
          constraint={constraint}
          onSeen={(theirs, keep) => {
            setConstraint(theirs);
            if (!keep) setDraft(draftOf(theirs) ?? draft);
            saving.reset();
          }}
        />
      ) : (
        <ErrorNote error={saving.error} />
      )}
    </FormDialog>
  );
}

function isUntouched({ amount, lines }: Draft): boolean {
  return amount === "" && lines === "";
}

interface StaleProps {
  readonly constraint: Shown;
  readonly onSeen: (theirs: Shown, keep: boolean) => void;
}

/** Somebody saved another version meanwhile: shows it, and lets the user choose. */
function StaleNote({ constraint, onSeen }: StaleProps) {
  const [theirs, setTheirs] = useState<Shown>();
  const looking = useMutation({
    mutationFn: () => bodyOf(API.GET("/api/constraints/{id}", { params: { path: { id: constraint.id } } })),
    onSuccess: setTheirs,
  });
  return (
    <div className="note warn stack" role="alert">
      <strong>Somebody changed this constraint since you opened it.</strong>
      {theirs === undefined ? (
        <>
          <ErrorNote error={looking.error} />
          <div>
            <Button onPress={() => looking.mutate()} isPending={looking.isPending}>
              Show theirs
            </Button>
          </div>
        </>
      ) : (
        <>
          <span>
            It is now: {EFFECT_TEXTS[theirs.effect ?? "limit"].toLowerCase()} {describeValue(theirs)}
          </span>
          <div className="actions">
            <Button onPress={() => onSeen(theirs, true)}>Keep mine</Button>
            <Button onPress={() => onSeen(theirs, false)}>Take theirs</Button>
          </div>
        </>
      )}
    </div>
  );
}
