import { useQuery } from "@tanstack/react-query";
import { API, bodyOf } from "./client.ts";
import { QUERIES } from "./query-client.ts";

function keyOf(userId: number) {
  return ["user", userId, "second-factor"];
}

/** How a user's second factor stands. */
export function useFactor(userId: number) {
  return useQuery({
    queryKey: keyOf(userId),
    queryFn: () => bodyOf(API.GET("/api/users/{id}/second-factor", { params: { path: { id: userId } } })),
  });
}

/** Asks again how a user's second factor stands. */
export function refreshFactor(userId: number): Promise<void> {
  return QUERIES.invalidateQueries({ queryKey: keyOf(userId) });
}
