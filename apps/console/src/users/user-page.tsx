import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { useLocation } from "wouter";
import { API, bodyOf, ifMatch } from "../api/client.ts";
import { QUERIES } from "../api/query-client.ts";
import { useMe } from "../api/session.ts";
import { EffectiveLimits } from "../constraints/effective.tsx";
import { OwnConstraints } from "../constraints/own-constraints.tsx";
import { Button } from "../parts/button.tsx";
import { Confirm, Dialog } from "../parts/dialog.tsx";
import { Page } from "../parts/page.tsx";
import { ErrorNote, Failure, Loading } from "../parts/state.tsx";
import { Tokens } from "../tokens/tokens.tsx";
import { type User, UserDetails } from "./user-details.tsx";
import { UserGroups } from "./user-groups.tsx";

export function UserPage({ id }: { readonly id: number }) {
  const asked = useQuery({
    queryKey: ["user", id],
    queryFn: () => bodyOf(API.GET("/api/users/{id}", { params: { path: { id } } })),
    retry: false,
  });
  if (asked.data !== undefined) return <KnownUser user={asked.data} />;
  return (
    <Page title="User">
      {asked.error === null ? <Loading /> : <Failure error={asked.error} retry={() => void asked.refetch()} />}
    </Page>
  );
}

function KnownUser({ user }: { readonly user: User }) {
  const me = useMe();
  const isSelf = me.id === user.id;
  const owner = { type: "user", id: user.id } as const;
  return (
    <Page
      title={isSelf ? `${user.login} (you)` : user.login}
      actions={me.isAdmin && <UserActions user={user} isSelf={isSelf} />}
    >
      <Tabs>
        <TabList className="tabs" aria-label="About the user">
          <Tab id="limits">Limits</Tab>
          <Tab id="own">Own constraints</Tab>
          <Tab id="groups">Groups</Tab>
          {(me.isAdmin || isSelf) && <Tab id="tokens">Tokens</Tab>}
          <Tab id="details">Details</Tab>
        </TabList>
        <TabPanel id="limits" className="panel">
          <EffectiveLimits userId={user.id} isSelf={isSelf} />
        </TabPanel>
        <TabPanel id="own" className="panel">
          <OwnConstraints owner={owner} />
        </TabPanel>
        <TabPanel id="groups" className="panel">
          <UserGroups userId={user.id} />
        </TabPanel>
        <TabPanel id="tokens" className="panel">
          <Tokens userId={user.id} />
        </TabPanel>
        <TabPanel id="details" className="panel">
          <UserDetails user={user} />
        </TabPanel>
      </Tabs>
    </Page>
  );
}

function UserActions({ user, isSelf }: { readonly user: User; readonly isSelf: boolean }) {
  const [, go] = useLocation();
  const [open, setOpen] = useState<"remove" | "link">();
  const params = { path: { id: user.id }, header: ifMatch(user) };
  const setting = useMutation({
    mutationFn: (active: boolean) => bodyOf(API.PATCH("/api/users/{id}", { params, body: { active } as never })),
    onSuccess: (saved) => QUERIES.setQueryData(["user", user.id], saved),
    onSettled: () => QUERIES.invalidateQueries({ queryKey: ["user", user.id] }),
  });
  const removing = useMutation({
    mutationFn: () => bodyOf(API.DELETE("/api/users/{id}", { params })),
    onSuccess: () => {
      void QUERIES.invalidateQueries({ queryKey: ["users"] });
      go("/users");
    },
  });
  const close = () => setOpen(undefined);
  return (
    <>
      {user.kind === "person" && <Button onPress={() => setOpen("link")}>Password link</Button>}
      {!isSelf && (
        <>
          <Button onPress={() => setting.mutate(!user.active)} isPending={setting.isPending}>
            {user.active ? "Disable" : "Enable"}
          </Button>
          <Button kind="danger" onPress={() => setOpen("remove")}>
            Remove
          </Button>
        </>
      )}
      <ErrorNote error={setting.error} />
      {open === "link" && <PassLink user={user} onClose={close} />}
      {open === "remove" && (
        <Confirm
          title={`Remove ${user.login}?`}
          action="Remove"
          onConfirm={() => removing.mutate()}
          onClose={close}
          isPending={removing.isPending}
          error={removing.error}
        >
          <p>
            Its memberships, constraints and tokens go with it. Containers that it has stay until an administrator
            removes them.
          </p>
        </Confirm>
      )}
    </>
  );
}

function PassLink({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const making = useMutation({
    mutationFn: () => bodyOf(API.POST("/api/users/{id}/pass-links", { params: { path: { id: user.id } } })),
  });
  return (
    <Dialog title={`A password link for ${user.login}`} onClose={onClose}>
      <div className="form">
        {making.data === undefined ? (
          <p>
            With this link {user.login} sets a password, once and within 24 hours. It ends all of the user&apos;s tokens
            when it is used.
          </p>
        ) : (
          <>
            <p>Hand this to {user.login}. It is shown only now.</p>
            <p className="secret">{new URL(making.data.path, window.location.origin).href}</p>
          </>
        )}
        <ErrorNote error={making.error} />
        <div className="actions">
          <Button onPress={onClose}>Close</Button>
          {making.data === undefined && (
            <Button kind="primary" onPress={() => making.mutate()} isPending={making.isPending}>
              Make the link
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}
