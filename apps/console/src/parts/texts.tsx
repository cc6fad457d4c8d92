import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { API, bodyOf } from "../api/client.ts";
import { useMe } from "../api/session.ts";

const SPANS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;
const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** How long ago or ahead, with the exact time on hover. */
export function Moment({ at }: { readonly at: string | null }) {
  if (at === null) return <span className="quiet">never</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={EXACT.format(date)}>
      {relative((date.getTime() - Date.now()) / 1_000)}
    </time>
  );
}

function relative(seconds: number): string {
  const span = SPANS.find(([, size]) => Math.abs(seconds) >= size);
  return span === undefined
    ? seconds > 0
      ? "in a moment"
      : "just now"
    : RELATIVE.format(Math.trunc(seconds / span[1]), span[0]);
}

interface BadgeProps {
  readonly tone: "good" | "bad" | "warn" | "plain";
  readonly children: string;
}

export function Badge({ tone, children }: BadgeProps) {
  return <span className={`badge ${tone}`}>{children}</span>;
}

/** A user by its login, as a link for those who may follow it. */
export function UserName({ id, login }: { readonly id: number; readonly login?: string | undefined }) {
  const me = useMe();
  const asked = useQuery({
    queryKey: ["user", id, "login"],
    staleTime: 60_000,
    retry: false,
    enabled: login === undefined && me.isReader,
    queryFn: async () => (await bodyOf(API.GET("/api/users/{id}", { params: { path: { id } } }))).login,
  });
  const name = login ?? (id === me.id ? me.login : asked.data) ?? `user ${id}`;
  return me.isReader || id === me.id ? <Link href={`/users/${id}`}>{name}</Link> : name;
}

export function GroupName({ id, name }: { readonly id: number; readonly name: string }) {
  return <Link href={`/groups/${id}`}>{name}</Link>;
}

/** Whether a user may sign in. */
export function StateBadge({ active }: { readonly active: boolean }) {
  return <Badge tone={active ? "good" : "bad"}>{active ? "Active" : "Disabled"}</Badge>;
}
