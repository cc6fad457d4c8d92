import { DirectoryError } from "../errors/directory-error.ts";
import type { Asker, Fleet } from "./fleet.ts";
import { type FleetHost, UNSEEN_SECONDS } from "./place.ts";

/** Grants no more places on a host, or does so again. What is there stays. @throws `not-found` */
export async function drainHost(
  { ledger }: Pick<Fleet, "ledger">,
  asker: Asker,
  name: string,
  draining: { readonly isDraining: boolean },
): Promise<FleetHost> {
  const isThere = await ledger.drain(asker.userId, name, draining);
  const host = isThere ? (await ledger.hosts()).find((one) => one.name === name) : undefined;
  if (host === undefined) throw unknownHost(name);
  return host;
}

/** Gives up a host for lost, and frees what its places held. @throws `not-found`, and `conflict` while it is heard of. */
export async function forgetHost({ ledger }: Pick<Fleet, "ledger">, asker: Asker, name: string): Promise<void> {
  const outcome = await ledger.forget(asker.userId, name);
  if (outcome === "unknown") throw unknownHost(name);
  if (outcome === "alive")
    throw new DirectoryError(
      "conflict",
      `The host ${name} was heard of within the last ${UNSEEN_SECONDS} seconds: drain it and give its places back, or stop its container service first.`,
    );
}

function unknownHost(name: string): DirectoryError {
  return new DirectoryError("not-found", `There is no host ${name} in the fleet.`);
}
