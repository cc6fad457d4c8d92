import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { API, bodyOf, type Schemas } from "../api/client.ts";
import { refreshFactor, useFactor } from "../api/second-factor.ts";
import { useMe } from "../api/session.ts";
import { Button } from "../parts/button.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { Moment } from "../parts/texts.tsx";

/** Whether a user's password needs a code, and for administrators the way to take that away. */
export function FactorFact({ user }: { readonly user: Pick<Schemas["User"], "id" | "login"> }) {
  const me = useMe();
  const { data } = useFactor(user.id);
  const [isAsking, setAsking] = useState(false);
  const resetting = useMutation({
    mutationFn: () => bodyOf(API.DELETE("/api/users/{id}/second-factor", { params: { path: { id: user.id } } })),
    onSuccess: () => setAsking(false),
    onSettled: () => refreshFactor(user.id),
  });
  return (
    <>
      <dt>Second factor</dt>
      <dd>
        {data === undefined && "…"}
        {data?.state === "none" && (data.required ? "to be set up at the next sign-in" : "none")}
        {data?.state === "active" && (
          <>
            on since <Moment at={data.since} />, {data.recoveryCodesLeft} recovery codes left{" "}
            {me.isAdmin && (
              <Button kind="quiet" label={`Reset the second factor of ${user.login}`} onPress={() => setAsking(true)}>
                Reset
              </Button>
            )}
          </>
        )}
        {isAsking && (
          <Confirm
            title={`Reset the second factor of ${user.login}?`}
            action="Reset"
            onConfirm={() => resetting.mutate()}
            onClose={() => setAsking(false)}
            isPending={resetting.isPending}
            error={resetting.error}
          >
            <p>
              For somebody who has lost the app and the recovery codes. Until {user.login} sets up another one, the
              password alone signs in{data?.required === true && ", to set it up"}. Be sure that it is {user.login} who
              asks.
            </p>
          </Confirm>
        )}
      </dd>
    </>
  );
}
