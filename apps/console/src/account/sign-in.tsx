import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Form } from "react-aria-components";
import { useSearchParams } from "wouter";
import { API, bodyOf, Problem } from "../api/client.ts";
import { signIn } from "../api/session.ts";
import { Button } from "../parts/button.tsx";
import { TextInput } from "../parts/field.tsx";
import { ErrorNote, Note } from "../parts/state.tsx";
import { SSO_FAULT_TEXTS } from "./sso-faults.ts";

export function SignIn() {
  const [login, setLogin] = useState("");
  const [pass, setPass] = useState("");
  const ended = useQuery({ queryKey: ["session-ended"], queryFn: () => false, enabled: false, initialData: false });
  const [code, setCode] = useState("");
  /** The password was right: what is missing is a code. */
  const [needsCode, setNeedsCode] = useState(false);
  const signing = useMutation({
    mutationKey: ["sign-in"],
    mutationFn: () => signIn({ login, pass, code }),
    onError: (error) => {
      if (error instanceof Problem && error.code === "second-factor-required") setNeedsCode(true);
      setCode("");
    },
  });
  const isAsking = signing.error instanceof Problem && signing.error.code === "second-factor-required";
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
        {needsCode ? (
          <>
            <p>
              Signing in as <strong>{login}</strong>
            </p>
            <TextInput
              key="code"
              label="Code"
              value={code}
              onChange={setCode}
              autoComplete="one-time-code"
              hint="Six digits from your authenticator app, or one of your recovery codes."
              isRequired
              autoFocus
            />
          </>
        ) : (
          <>
            <SingleSignOn />
            <TextInput
              key="login"
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
          </>
        )}
        <ErrorNote error={isAsking ? null : signing.error} />
        <Button type="submit" kind="primary" isPending={signing.isPending}>
          Sign in
        </Button>
        {needsCode ? (
          <Button
            kind="quiet"
            onPress={() => {
              setNeedsCode(false);
              setPass("");
              signing.reset();
            }}
          >
            Sign in as somebody else
          </Button>
        ) : (
          <p className="hint">
            No password yet? An administrator makes a link to set one. The first one runs{" "}
            <code>berth users link admin</code> on the directory&apos;s host.
          </p>
        )}
      </Form>
    </main>
  );
}

/** The way through a provider, and what became of it; nothing without a provider. */
function SingleSignOn() {
  const [params] = useSearchParams();
  const left = useQuery({ queryKey: ["signed-out"], queryFn: () => false, enabled: false, initialData: false });
  const { data } = useQuery({ queryKey: ["ways"], retry: false, queryFn: () => bodyOf(API.GET("/api/sign-in")) });
  const fault = params.get("sign-in");
  const sso = data?.sso ?? null;
  const failure = fault !== null && (SSO_FAULT_TEXTS[fault]?.(sso?.name ?? "The provider") ?? "The sign-in failed.");
  if (sso === null) return failure !== false && <ErrorNote error={failure} />;
  const returnTo = fault === null ? `${window.location.pathname}${window.location.search}` : "/";
  return (
    <>
      {failure !== false && <ErrorNote error={failure} />}
      {left.data && (
        <Note>
          You are signed out of Berth.{" "}
          {sso.signOutUrl === null ? (
            `You may still be signed in at ${sso.name}.`
          ) : (
            <a href={sso.signOutUrl}>Sign out of {sso.name} too</a>
          )}
        </Note>
      )}
      <a className="button primary" href={`${sso.path}?returnTo=${encodeURIComponent(returnTo)}`}>
        Sign in with {sso.name}
      </a>
      <p className="quiet">or with a password</p>
    </>
  );
}
