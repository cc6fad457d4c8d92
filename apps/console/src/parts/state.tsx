import type { ReactNode } from "react";
import { DirectoryAway, Problem } from "../api/client.ts";
import { Button } from "./button.tsx";

export function Loading() {
  return (
    <p className="state" role="status">
      Loading…
    </p>
  );
}

export function Empty({ children }: { readonly children: ReactNode }) {
  return <p className="state">{children}</p>;
}

export function Note({ children }: { readonly children: ReactNode }) {
  return (
    <p className="note" role="status">
      {children}
    </p>
  );
}

/** What went wrong, for people; nothing without an error. */
export function ErrorNote({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <p className="note bad" role="alert">
      {messageOf(error)}
    </p>
  );
}

/** In place of what could not be shown. */
export function Failure({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  return (
    <div className="state" role="alert">
      <p>
        <strong>{titleOf(error)}</strong>
      </p>
      <p>{error instanceof DirectoryAway ? "It does not answer." : messageOf(error)}</p>
      <Button onPress={retry}>Try again</Button>
    </div>
  );
}

function titleOf(error: unknown): string {
  if (error instanceof DirectoryAway) return "The directory is away";
  if (!(error instanceof Problem)) return "This page failed";
  return { 403: "Not permitted", 404: "Not found" }[error.status] ?? "The directory refused";
}

function messageOf(error: unknown): string {
  if (error instanceof DirectoryAway) return "The directory does not answer. What you see may be out of date.";
  return error instanceof Error ? error.message : String(error);
}

interface Asked<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** Shows what was asked for, or that it is on its way, or why it is not there. Over what could not be asked for again it says so. */
export function Shown<T>({ asked, children }: { readonly asked: Asked<T>; readonly children: (data: T) => ReactNode }) {
  const { data, error, refetch } = asked;
  if (data !== undefined)
    return (
      <>
        <ErrorNote error={error} />
        {children(data)}
      </>
    );
  return error === null ? <Loading /> : <Failure error={error} retry={() => void refetch()} />;
}
