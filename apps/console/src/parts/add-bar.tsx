import type { ReactNode } from "react";
import { Button } from "./button.tsx";

interface AddBarProps {
  readonly onAdd: () => void;
  readonly isPending: boolean;
  readonly children: ReactNode;
}

/** A form in one line that adds to the list below it. */
export function AddBar({ onAdd, isPending, children }: AddBarProps) {
  return (
    <form
      className="toolbar"
      onSubmit={(event) => {
        event.preventDefault();
        onAdd();
      }}
    >
      {children}
      <Button type="submit" isPending={isPending}>
        Add
      </Button>
    </form>
  );
}
