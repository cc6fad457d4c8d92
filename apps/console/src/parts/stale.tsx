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
