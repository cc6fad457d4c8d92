import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Form } from "react-aria-components";
import { signIn } from "../api/session.ts";
import { Button } from "../parts/button.tsx";
import { TextInput } from "../parts/field.tsx";
import { ErrorNote, Note } from "../parts/state.tsx";

export function SignIn() {
  const [login, setLogin] = useState("");
  const [pass, setPass] = useState("");
  const ended = useQuery({ queryKey: ["session-ended"], queryFn: () => false, enabled: false, initialData: false });
  const signing = useMutation({ mutationKey: ["sign-in"], mutationFn: () => signIn(login, pass) });
  return (
    <main className="sign-in">
      <Form
        className="card form"
        onSubmit={(event) => {
          event.preventDefault();
          signing.mutate();
        }}
      >
        <h1>
          <img src="/berth.svg" alt="" width="28" height="28" /> Berth
        </h1>
        {ended.data && signing.isIdle && <Note>Your session has ended. Sign in to go on.</Note>}
        <TextInput
          label="Login or e-mail"
          value={login}
          onChange={setLogin}
          autoComplete="username"
          isRequired
          autoFocus
        />
        <TextInput
          label="Password"
          type="password"
          value={pass}
          onChange={setPass}
          autoComplete="current-password"
          isRequired
        />
        <ErrorNote error={signing.error} />
        <Button type="submit" kind="primary" isPending={signing.isPending}>
          Sign in
        </Button>
        <p className="hint">
          No password yet? An administrator makes a link to set one. The first one runs{" "}
          <code>berth users link admin</code> on the directory&apos;s host.
        </p>
      </Form>
    </main>
  );
}
