import { DirectoryError } from "../errors/directory-error.ts";
import type { Fleet } from "./fleet.ts";
import type { Heard, Speaker } from "./ledger.ts";
import type { FleetPlace } from "./place.ts";
import { type HostReport, isSettled, planOf } from "./report.ts";
import { hostTopic } from "./signals.ts";

/** What a host is told: the turn of its next report, and what it has to have. */
export type HostAnswer = Exclude<Heard, { readonly outcome: "foreign" }> & { readonly places: readonly FleetPlace[] };

/**
 * Takes a host's report of its places and answers what it has to have. A host that has just that waits for the answer until something
 * changes, for `waitMs` at most.
 *
 * @throws `forbidden` where another token speaks for the host of that name.
 */
export async function hearHost(
  { ledger, signals }: Pick<Fleet, "ledger" | "signals">,
  speaker: Speaker,
  report: HostReport,
  waitMs: number,
): Promise<HostAnswer> {
  const heard = await ledger.hear(speaker, report, planOf);
  if (heard.outcome === "foreign")
    throw new DirectoryError(
      "forbidden",
      `Another token speaks for the host ${speaker.name}: revoke that one, give this host another name, or let an administrator forget it.`,
    );
  if (heard.outcome !== "accepted") return { ...heard, places: [] };
  const changed = await signals.until(hostTopic(speaker.name), waitMs, async () => {
    const wanted = await ledger.wanted(speaker.name);
    return isSettled(wanted, report) ? undefined : wanted;
  });
  return { ...heard, places: changed ?? (await ledger.wanted(speaker.name)) };
}
