import type { ReactNode } from "react";
import { Dialog as AriaDialog, Form, Heading, Modal, ModalOverlay } from "react-aria-components";
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

interface FormDialogProps extends Pick<DialogProps, "title" | "onClose" | "children"> {
  /** What the button that sends says. */
  readonly action: string;
  readonly onSubmit: () => void;
  readonly isPending: boolean;
  readonly isDisabled?: boolean;
}

/** A form in a window, with a way out and a button that sends it. */
export function FormDialog({ title, action, onSubmit, onClose, isPending, isDisabled, children }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        <div className="actions">
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" isPending={isPending} isDisabled={isDisabled === true}>
            {action}
          </Button>
        </div>
      </Form>
    </Dialog>
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
