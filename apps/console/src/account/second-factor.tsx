import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { API, bodyOf, faultAt } from "../api/client.ts";
import { refreshFactor, useFactor } from "../api/second-factor.ts";
import { useMe } from "../api/session.ts";
import { Button } from "../parts/button.tsx";
import { Dialog, FormDialog } from "../parts/dialog.tsx";
import { TextInput } from "../parts/field.tsx";
import { Section } from "../parts/page.tsx";
import { ErrorNote, Loading, Shown } from "../parts/state.tsx";
import { Badge, Moment } from "../parts/texts.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

// It brings what draws QR codes.
const SetUpFactor = lazy(() => import("./set-up-factor.tsx"));

/** One's own second factor: how it stands, and what one does with it. */
export function SecondFactor() {
  const me = useMe();
  const asked = useFactor(me.id);
  const [open, setOpen] = useState<"set-up" | "codes" | "remove">();
  const close = () => {
    setOpen(undefined);
    void refreshFactor(me.id);
  };
  return (
    <Section title="Second factor">
      <Shown asked={asked}>
        {({ state, required, since, recoveryCodesLeft }) =>
          open === "set-up" ? (
            <Suspense fallback={<Loading />}>
              <SetUpFactor onDone={close} onCancel={close} cancelText="Cancel" />
            </Suspense>
          ) : (
            <div className="form">
              {state === "none" ? (
                <p>
                  <Badge tone="plain">Off</Badge> With a second factor, your password alone signs nobody in: a code from
                  an authenticator app comes with it.
                </p>
              ) : (
                <p>
                  <Badge tone="good">On</Badge> since <Moment at={since} />. You have {recoveryCodesLeft} recovery{" "}
                  {recoveryCodesLeft === 1 ? "code" : "codes"} left.
                  {required && " Your sign-in needs it: if you remove it, you set another one up at the next."}
                </p>
              )}
              <div className="actions">
                {state === "none" ? (
                  <Button onPress={() => setOpen("set-up")}>Set up</Button>
                ) : (
                  <>
                    <Button onPress={() => setOpen("codes")}>New recovery codes</Button>
                    <Button kind="danger" onPress={() => setOpen("remove")}>
                      Remove
                    </Button>
                  </>
                )}
              </div>
            </div>
          )
        }
      </Shown>
      {open === "codes" && <NewCodes onClose={close} />}
      {open === "remove" && <RemoveFactor onClose={close} />}
    </Section>
  );
}

interface CodeFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: unknown;
}

function CodeField({ value, onChange, error }: CodeFieldProps) {
  return (
    <>
      <TextInput
        label="Code"
        value={value}
        onChange={onChange}
        autoComplete="one-time-code"
        hint="Six digits from your authenticator app, or one of your recovery codes."
        isRequired
        autoFocus
        fault={faultAt(error, "/code")}
      />
      <ErrorNote error={faultAt(error, "/code") === undefined ? error : null} />
    </>
  );
}

function NewCodes({ onClose }: { readonly onClose: () => void }) {
  const [code, setCode] = useState("");
  const renewing = useMutation({
    mutationFn: () =>
      bodyOf(API.POST("/api/me/second-factor/recovery-codes", { body: { code: code.trim() } as never })),
    onError: () => setCode(""),
  });
  if (renewing.data !== undefined)
    return (
      <Dialog title="New recovery codes" onClose={onClose}>
        <RecoveryCodes codes={renewing.data.recoveryCodes} onDone={onClose} />
      </Dialog>
    );
  return (
    <FormDialog
      title="New recovery codes"
      action="Make them"
      onClose={onClose}
      onSubmit={() => renewing.mutate()}
      isPending={renewing.isPending}
    >
      <p>The old ones work no more once the new ones are made.</p>
      <CodeField value={code} onChange={setCode} error={renewing.error} />
    </FormDialog>
  );
}

function RemoveFactor({ onClose }: { readonly onClose: () => void }) {
  const [code, setCode] = useState("");
  const removing = useMutation({
    mutationFn: () => bodyOf(API.POST("/api/me/second-factor/disable", { body: { code: code.trim() } as never })),
    onSuccess: onClose,
    onError: () => setCode(""),
  });
  return (
    <FormDialog
      title="Remove your second factor?"
      action="Remove"
      onClose={onClose}
      onSubmit={() => removing.mutate()}
      isPending={removing.isPending}
    >
      <p>Your password alone signs in then. The recovery codes go with it.</p>
      <CodeField value={code} onChange={setCode} error={removing.error} />
    </FormDialog>
  );
}
