import { useQuery } from "@tanstack/react-query";
import { createContext, use } from "react";
import { API, bodyOf, Problem, type Schemas } from "./client.ts";
import { ME, QUERIES } from "./query-client.ts";

export type Me = Schemas["Me"];

/** Who is signed in: null for nobody. */
export function useSession() {
  return useQuery({
    queryKey: ME,
    staleTime: 60_000,
    queryFn: async (): Promise<Me | null> => {
      try {
        return await bodyOf(API.GET("/api/me"));
      } catch (error) {
        if (error instanceof Problem && error.status === 401) return null;
        throw error;
      }
    },
  });
}

/** What somebody proves to be a user with; the code is empty until it is asked for. */
export interface Proofs {
  readonly login: string;
  readonly pass: string;
  readonly code: string;
}

/** Signs in with a cookie that scripts cannot read. @throws Problem, DirectoryAway */
export async function signIn({ login, pass, code }: Proofs): Promise<void> {
  const body = { login, pass, cookie: true, ...(code === "" ? {} : { code: code.trim() }) };
  await API.POST("/api/login", { body });
  QUERIES.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME[0] });
  await QUERIES.invalidateQueries({ queryKey: ME });
}

/** Ends the session. @throws DirectoryAway */
export async function signOut(): Promise<void> {
  await API.POST("/api/logout").catch((error: unknown) => {
    // It has ended already.
    if (!(error instanceof Problem && error.status === 401)) throw error;
  });
  // The page watches who is signed in, so that this query stays.
  QUERIES.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME[0] });
  QUERIES.setQueryData(["signed-out"], true);
  QUERIES.setQueryData(ME, null);
}

const SIGNED_IN = createContext<Me | undefined>(undefined);
export const SignedIn = SIGNED_IN.Provider;

/** Who is signed in, below {@link SignedIn}. */
export function useMe(): Me & { readonly isAdmin: boolean; readonly isReader: boolean } {
  const me = use(SIGNED_IN);
  if (me === undefined) throw new Error("nobody is signed in here");
  return { ...me, isAdmin: me.role === "admin", isReader: me.role !== "user" };
}

/** Whether somebody has to set up a second factor before anything else. */
export function mustSetUpFactor({ scopes }: Pick<Me, "scopes">): boolean {
  return scopes.includes("second-factor");
}
