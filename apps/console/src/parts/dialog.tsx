import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { Button } from "./button.tsx";
import { ErrorNote } from "./state.tsx";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly role?: "dialog" | "alertdialog";
}

/** A window over the page while it is rendered; Escape closes it. */
export function Dialog({ title, onClose, children, role = "dialog" }: DialogProps) {
  return (
    <ModalOverlay
      className="overlay"
      isOpen
      isDismissable={role === "dialog"}
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Modal className="modal">
        <AriaDialog className="dialog" role={role}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly action: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly isPending: boolean;
  readonly error: unknown;
}

/** Asks before something that cannot be undone. */
export function Confirm({ title, children, action, onConfirm, onClose, isPending, error }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose} role="alertdialog">
      <div className="form">
        <div>{children}</div>
        <ErrorNote error={error} />
        <div className="actions">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="danger" onPress={onConfirm} isPending={isPending}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
