import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Form } from "react-aria-components";
import { API, bodyOf, faultAt } from "../api/client.ts";
import { Button } from "../parts/button.tsx";
import { TextInput } from "../parts/field.tsx";
import { QrCode } from "../parts/qr-code.tsx";
import { ErrorNote } from "../parts/state.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

interface SetUpProps {
  /** Told once it is on and the recovery codes were seen. */
  readonly onDone: () => void;
  readonly onCancel: () => void;
  readonly cancelText: string;
}

/** Sets a second factor up: the password, the secret with a first code, the recovery codes. */
export default function SetUpFactor({ onDone, onCancel, cancelText }: SetUpProps) {
  const [pass, setPass] = useState("");
  const [code, setCode] = useState("");
  const beginning = useMutation({
    mutationFn: () => bodyOf(API.POST("/api/me/second-factor", { body: { pass } as never })),
    onSuccess: () => setPass(""),
  });
  const confirming = useMutation({
    mutationFn: () => bodyOf(API.PUT("/api/me/second-factor", { body: { code: code.trim() } as never })),
    onError: () => setCode(""),
  });
  if (confirming.data !== undefined) return <RecoveryCodes codes={confirming.data.recoveryCodes} onDone={onDone} />;
  const secret = beginning.data;
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (secret === undefined) beginning.mutate();
        else confirming.mutate();
      }}
    >
      {secret === undefined ? (
        <TextInput
          label="Your password"
          type="password"
          value={pass}
          onChange={setPass}
          autoComplete="current-password"
          isRequired
          autoFocus
          fault={faultAt(beginning.error, "/pass")}
        />
      ) : (
        <>
          <p>Scan this with an authenticator app, or type the secret into it.</p>
          <QrCode text={secret.uri} label="QR code of the secret" />
          <p className="secret">{secret.secret.replaceAll(/.{4}(?=.)/g, "$& ")}</p>
          <TextInput
            label="Code"
            value={code}
            onChange={setCode}
            autoComplete="one-time-code"
            hint="The six digits that the app shows now. They turn the second factor on."
            isRequired
            autoFocus
            fault={faultAt(confirming.error, "/code")}
          />
        </>
      )}
      <ErrorNote error={secret === undefined ? beginning.error : confirming.error} />
      <div className="actions">
        <Button type="submit" kind="primary" isPending={beginning.isPending || confirming.isPending}>
          {secret === undefined ? "Go on" : "Turn on"}
        </Button>
        <Button onPress={onCancel}>{cancelText}</Button>
      </div>
    </Form>
  );
}
