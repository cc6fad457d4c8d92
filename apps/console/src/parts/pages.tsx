import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Page } from "../api/client.ts";
import { Button } from "./button.tsx";

/** How many rows a page of a list has. */
export const PAGE_SIZE = 50;

/** Walks a list by its cursors; another `key` starts again at the front. */
export function usePages<T>(
  key: readonly unknown[],
  fetchPage: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page<T>>,
) {
  const name = JSON.stringify(key);
  const [walk, setWalk] = useState<{ readonly name: string; readonly cursors: readonly string[] }>({
    name,
    cursors: [],
  });
  const cursors = walk.name === name ? walk.cursors : [];
  const cursor = cursors.at(-1);
  const asked = useQuery({
    queryKey: [...key, cursor],
    placeholderData: keepPreviousData,
    queryFn: () => fetchPage({ limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) }),
  });
  const next = asked.data?.next;
  return {
    asked,
    pager: {
      page: cursors.length,
      back: cursors.length === 0 ? undefined : () => setWalk({ name, cursors: cursors.slice(0, -1) }),
      forward: next === undefined ? undefined : () => setWalk({ name, cursors: [...cursors, next] }),
      rows: asked.data?.rows.length ?? 0,
      total: asked.data?.total,
    },
  };
}

interface PagerProps {
  readonly page: number;
  readonly rows: number;
  readonly total: number | undefined;
  readonly back: (() => void) | undefined;
  readonly forward: (() => void) | undefined;
}

/** Tells which rows are shown, and goes to others; nothing where all are on one page. */
export function Pager({ page, rows, total, back, forward }: PagerProps) {
  if (back === undefined && forward === undefined) return null;
  const first = page * PAGE_SIZE + 1;
  const of = total === undefined ? "" : ` of ${total.toLocaleString("en")}`;
  return (
    <nav className="pager" aria-label="Pages">
      <span>
        {first.toLocaleString("en")}–{(first + rows - 1).toLocaleString("en")}
        {of}
      </span>
      <Button isDisabled={back === undefined} {...(back === undefined ? {} : { onPress: back })}>
        Previous
      </Button>
      <Button isDisabled={forward === undefined} {...(forward === undefined ? {} : { onPress: forward })}>
        Next
      </Button>
    </nav>
  );
}
