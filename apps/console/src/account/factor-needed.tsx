import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { ME, QUERIES } from "../api/query-client.ts";
import { signOut, useMe } from "../api/session.ts";
import { ErrorNote, Loading } from "../parts/state.tsx";

const SetUpFactor = lazy(() => import("./set-up-factor.tsx"));

/** All that is open to those who have to set up a second factor first. */
export function FactorNeeded() {
  const me = useMe();
  const signingOut = useMutation({ mutationFn: signOut });
  return (
    <main className="sign-in">
      <div className="card form">
        <h1>
          <img src="/berth.svg" alt="" width="28" height="28" /> Set up a second factor
        </h1>
        <p>
          You are <strong>{me.login}</strong>. Here a password needs a code from an authenticator app with it: set one
          up to go on.
        </p>
        <ErrorNote error={signingOut.error} />
        <Suspense fallback={<Loading />}>
          <SetUpFactor
            onDone={() => void QUERIES.invalidateQueries({ queryKey: ME })}
            onCancel={() => signingOut.mutate()}
            cancelText="Sign out"
          />
        </Suspense>
      </div>
    </main>
  );
}
