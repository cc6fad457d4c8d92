import { useMutation } from "@tanstack/react-query";
import { Problem } from "../api/client.ts";
import { Button } from "./button.tsx";
import { Table } from "./table.tsx";

/** A field that somebody else changed meanwhile. */
export interface Conflict {
  readonly field: string;
  readonly theirs: string;
  readonly mine: string;
}

interface StaleProps {
  readonly conflicts: readonly Conflict[];
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

/** Somebody saved the record meanwhile: shows what differs, and lets the user choose. */
export function StaleEdit({ conflicts, onKeep, onDiscard }: StaleProps) {
  return (
    <div className="note warn stack" role="alert">
      <strong>Somebody changed this record since you opened it.</strong>
      {conflicts.length === 0 ? (
        <span>None of your fields is concerned.</span>
      ) : (
        <Table
          label="What differs"
          rows={conflicts}
          keyOf={({ field }) => field}
          columns={[
            { title: "Field", cell: ({ field }) => field },
            { title: "Now", cell: ({ theirs }) => theirs },
            { title: "Yours", cell: ({ mine }) => mine },
          ]}
        />
      )}
      <div className="actions">
        <Button onPress={onKeep}>Save mine</Button>
        <Button onPress={onDiscard}>Take theirs</Button>
      </div>
    </div>
  );
}

interface Edit<Saved> {
  /** Saves the user's changes upon a version of the record. */
  readonly save: (against: Saved) => Promise<Saved>;
  /** Reads the record as it is now. */
  readonly look: () => Promise<Saved>;
  readonly onSaved: (saved: Saved) => void;
}

/** A save that meets somebody else's: `theirs` is what they saved, once it is read. */
export function useEdit<Saved>({ save, look, onSaved }: Edit<Saved>) {
  const looking = useMutation({ mutationFn: look });
  const saving = useMutation({
    mutationFn: save,
    onSuccess: onSaved,
    onError: (error) => {
      if (isStale(error)) looking.mutate();
    },
  });
  const theirs = isStale(saving.error) ? looking.data : undefined;
  return { saving, theirs, error: saving.error ?? looking.error };
}

/** Whether somebody saved another version meanwhile (RFC 9110, section 15.5.13). */
export function isStale(error: unknown): boolean {
  return error instanceof Problem && error.status === 412;
}
