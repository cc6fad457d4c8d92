import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Form } from "react-aria-components";
import { useSearchParams } from "wouter";
import { API, bodyOf, Problem } from "../api/client.ts";
import { useMe } from "../api/session.ts";
import { Button } from "../parts/button.tsx";
import { TextInput } from "../parts/field.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Empty, ErrorNote, Note, Shown } from "../parts/state.tsx";

/** Where one approves that a command signs in. */
export function DevicePage() {
  const [params, setParams] = useSearchParams();
  const [typed, setTyped] = useState("");
  const code = params.get("code") ?? "";
  return (
    <Page title="Sign a command in">
      {code === "" ? (
        <Section title="The code that the command shows">
          <Form
            className="form"
            onSubmit={(event) => {
              event.preventDefault();
              setParams({ code: typed.trim() });
            }}
          >
            <TextInput label="Code" value={typed} onChange={setTyped} placeholder="BCDF-GHJK" isRequired autoFocus />
            <div className="actions">
              <Button type="submit">Go on</Button>
            </div>
          </Form>
        </Section>
      ) : (
        <Waiting key={code} code={code} />
      )}
    </Page>
  );
}

function Waiting({ code }: { readonly code: string }) {
  const me = useMe();
  const params = { path: { name: code } };
  const asked = useQuery({
    queryKey: ["device-login", code],
    retry: false,
    queryFn: () => bodyOf(API.GET("/api/device-logins/{name}", { params })),
  });
  const answering = useMutation({
    mutationFn: (answer: "approve" | "decline") =>
      bodyOf(API.PUT("/api/device-logins/{name}", { params, body: { answer } })).then(() => answer),
  });
  if (asked.error instanceof Problem && asked.error.status === 404)
    return <Empty>No command waits with this code. It may have expired: run berth login again.</Empty>;
  return (
    <Section title="A command asks to act as you">
      <Shown asked={asked}>
        {({ label, address }) => (
          <div className="form">
            <dl className="facts">
              <dt>Code</dt>
              <dd className="mono">{code}</dd>
              <dt>It says it is</dt>
              <dd>{label}</dd>
              <dt>Its address</dt>
              <dd className="mono">{address}</dd>
              <dt>It becomes</dt>
              <dd>{me.login}, for 30 days</dd>
            </dl>
            <p className="hint">
              Approve only what you started yourself a moment ago, and only if it shows this code. Whoever sent you this
              link otherwise would act as you.
            </p>
            <ErrorNote error={answering.error} />
            {answering.data === "approve" && <Note>The command is signed in. You may close this page.</Note>}
            {answering.data === "decline" && <Note>Declined. The command is not signed in.</Note>}
            {answering.data === undefined && (
              <div className="actions">
                <Button kind="primary" onPress={() => answering.mutate("approve")} isPending={answering.isPending}>
                  Approve
                </Button>
                <Button kind="quiet" onPress={() => answering.mutate("decline")}>
                  Decline
                </Button>
              </div>
            )}
          </div>
        )}
      </Shown>
    </Section>
  );
}
