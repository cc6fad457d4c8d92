import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { DirectoryAway, Problem } from "./client.ts";

const FRESH_MS = 2_000;
/** The key of who is signed in. */
export const ME = ["me"] as const;

function endSession(error: unknown): void {
  if (!(error instanceof Problem) || error.status !== 401) return;
  // The first of several refusals ends it; the others must not take away what it says.
  if (QUERIES.getQueryData(ME) === null) return;
  // Nothing that the session showed stays on screen.
  QUERIES.setQueryData(ME, null);
  QUERIES.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME[0] });
  QUERIES.setQueryData(["session-ended"], true);
}

export const QUERIES = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => query.queryKey[0] !== ME[0] && endSession(error) }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) =>
      mutation.options.mutationKey?.[0] !== "sign-in" && endSession(error),
  }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (count, error) => error instanceof DirectoryAway && count < 1,
      retryDelay: 500,
    },
  },
});
