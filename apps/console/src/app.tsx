import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Link, Route, Switch, useLocation } from "wouter";
import { AccountPage } from "./account/account-page.tsx";
import { DevicePage } from "./account/device-page.tsx";
import { FactorNeeded } from "./account/factor-needed.tsx";
import { SignIn } from "./account/sign-in.tsx";
import { ActivityPage } from "./activity/activity-page.tsx";
import { mustSetUpFactor, SignedIn, signOut, useMe, useSession } from "./api/session.ts";
import { GroupPage } from "./groups/group-page.tsx";
import { GroupsPage } from "./groups/groups-page.tsx";
import { OverviewPage } from "./overview/overview-page.tsx";
import { Button } from "./parts/button.tsx";
import { Page } from "./parts/page.tsx";
import { Empty, ErrorNote, Loading, Shown } from "./parts/state.tsx";
import { PortsPage } from "./ports/ports-page.tsx";
import { UserPage } from "./users/user-page.tsx";
import { UsersPage } from "./users/users-page.tsx";

// It brings the reader of compose files, which no other page needs.
const ExplainPage = lazy(() => import("./explain/explain-page.tsx"));

export function App() {
  const session = useSession();
  return (
    // The pages say themselves what is out of date.
    <Shown asked={{ ...session, error: session.data === undefined ? session.error : null }}>
      {(me) =>
        me === null ? <SignIn /> : <SignedIn value={me}>{mustSetUpFactor(me) ? <FactorNeeded /> : <Shell />}</SignedIn>
      }
    </Shown>
  );
}

function Shell() {
  const me = useMe();
  const signingOut = useMutation({ mutationFn: signOut });
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <header className="side">
        <span className="brand">
          <img src="/berth.svg" alt="" width="24" height="24" /> Berth
        </span>
        <Navigation />
        <div className="who">
          <Link href="/account">{me.login}</Link>
          <Button kind="quiet" onPress={() => signingOut.mutate()} isPending={signingOut.isPending}>
            Sign out
          </Button>
        </div>
      </header>
      <main className="content" id="content">
        <ErrorNote error={signingOut.error} />
        <Suspense fallback={<Loading />}>
          <Pages />
        </Suspense>
      </main>
    </div>
  );
}

function Navigation() {
  const me = useMe();
  const [at] = useLocation();
  const everyone = [
    ["/", "Overview"],
    ["/ports", "Ports"],
  ] as const;
  const readers = [
    ["/users", "Users"],
    ["/groups", "Groups"],
  ] as const;
  const own = [[`/users/${me.id}`, "My limits"]] as const;
  const rest = [
    ["/explain", "Why not?"],
    ["/activity", "Activity"],
  ] as const;
  return (
    <nav className="nav" aria-label="Pages of the console">
      {[...everyone, ...(me.isReader ? readers : own), ...rest].map(([href, text]) => {
        const isHere = href === "/" ? at === "/" : at === href || at.startsWith(`${href}/`);
        return (
          <Link key={href} href={href} aria-current={isHere ? "page" : undefined}>
            {text}
          </Link>
        );
      })}
    </nav>
  );
}

function Pages() {
  const me = useMe();
  return (
    <Switch>
      <Route path="/" component={OverviewPage} />
      <Route path="/ports" component={PortsPage} />
      {me.isReader && <Route path="/users" component={UsersPage} />}
      <Route path="/users/:id">{({ id }) => <UserPage key={id} id={Number(id)} />}</Route>
      {me.isReader && <Route path="/groups" component={GroupsPage} />}
      <Route path="/groups/:id">{({ id }) => <GroupPage key={id} id={Number(id)} />}</Route>
      <Route path="/explain" component={ExplainPage} />
      <Route path="/activity" component={ActivityPage} />
      <Route path="/account" component={AccountPage} />
      <Route path="/device" component={DevicePage} />
      <Route>
        <Page title="No such page">
          <Empty>There is no page at this address, or it is not for you.</Empty>
        </Page>
      </Route>
    </Switch>
  );
}
