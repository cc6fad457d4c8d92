import { DirectoryError } from "../../errors/directory-error.ts";
import type { Asker, Declined, Fleet, Granted, Placement } from "../fleet.ts";
import type { FleetHost, PlaceWish } from "../place.ts";
import { lackOf, offersOf } from "../refusal.ts";
import { allowanceFor, nameTaken } from "./allowance.ts";
import type { Placings } from "./placings.ts";
import { type Pod, type Pods, podTopic } from "./pods.ts";

/** How long the scheduler may take to choose. */
const CHOICE_MS = 20_000;
/** How long the chosen Node may take to run the Pod, its image included. */
const RUN_MS = 30_000;
/** What the watch does not tell is looked at so often. */
const LOOK_MS = 1_000;
/** The scheduler's first word is not its last: it may not know yet that a Pod went. */
const DOUBT_MS = 2_000;
/** After a Pod went it looks again in 1, 2 or 4 seconds. */
const HOPE_MS = 8_000;
/** Quotas may fill up between the decision and its row. */
const TRIES = 3;

/** Kubernetes' scheduler chooses the host: each place is a Pod, which holds its room and its ports on a Node. */
export class KubernetesPlacement implements Placement {
  readonly choosesHosts = true;
  readonly #pods: Pods;
  readonly #placings: Placings;
  readonly #onLeftBehind: (id: number, fault: unknown) => void;

  /** @param onLeftBehind is told of a Pod that could not be deleted: the keeper does it later. */
  constructor(pods: Pods, placings: Placings, onLeftBehind: (id: number, fault: unknown) => void) {
    this.#pods = pods;
    this.#placings = placings;
    this.#onLeftBehind = onLeftBehind;
  }

  async grant(
    fleet: Fleet,
    asker: Asker,
    wish: PlaceWish,
    declined: ReadonlyMap<string, string>,
  ): Promise<Granted | Declined> {
    const hosts = await candidates(fleet, wish, declined);
    const id = await this.#reserve(fleet, wish);
    let isGranted = false;
    try {
      const isRoomComing = await this.#isRoomComing();
      await this.#pods.create(id, wish, hosts);
      const found = await this.#whereItRuns(fleet, id, wish, declined, { isRoomComing });
      if ("reason" in found) return found;
      const outcome = await this.#placings.settle(asker.userId, id, found, wish);
      isGranted = outcome === "settled";
      if (isGranted) return { id, host: found.host };
      if (outcome === "gone") throw tooLong("the place was given up meanwhile");
      const holders = await fleet.ledger.holders(wish.ports);
      const host = (await fleet.ledger.hosts()).find(({ name }) => name === found.host);
      const lack = host === undefined ? "is not in the fleet" : lackOf(host, wish, holders);
      return { host: found.host, reason: lack ?? "had no room or port a moment ago" };
    } finally {
      if (!isGranted) await this.#undo(id);
    }
  }

  async #reserve(fleet: Fleet, wish: PlaceWish): Promise<number> {
    for (let tries = 1; ; tries++) {
      const { login, amounts } = await allowanceFor(fleet, wish);
      const outcome = await this.#placings.reserve(wish, amounts);
      if (typeof outcome === "number") return outcome;
      if (outcome === "name") throw nameTaken(login, wish);
      if (tries === TRIES)
        throw new DirectoryError("conflict", `A quota of ${login} was full a moment ago: try again.`);
    }
  }

  /** Waits until the Pod runs somewhere, or tells why its host does not run it. @throws `conflict` where no host will do. */
  async #whereItRuns(
    fleet: Fleet,
    id: number,
    wish: PlaceWish,
    declined: ReadonlyMap<string, string>,
    { isRoomComing }: { readonly isRoomComing: boolean },
  ): Promise<{ readonly host: string; readonly pod: string } | Declined> {
    let last: Pod | undefined;
    let [refusal, hopeless] = ["its scheduler did not answer", performance.now() + (isRoomComing ? HOPE_MS : DOUBT_MS)];
    const begun = performance.now();
    const isInTime = () => performance.now() - begun < (last?.host === undefined ? CHOICE_MS : RUN_MS);
    while (isInTime()) {
      const found = await fleet.signals.until(podTopic(id), LOOK_MS, async () => {
        last = await this.#pods.get(id);
        if (last === undefined) throw tooLong("the place's Pod was deleted before it ran");
        const { host, uid, state } = last;
        if (state.kind === "unschedulable") {
          refusal = state.reason;
          const now = performance.now();
          if (await this.#isRoomComing()) hopeless = now + HOPE_MS;
          if (now > hopeless) throw await refused(fleet, wish, declined, refusal);
        }
        if (host === undefined) return undefined;
        if (state.kind === "running") return { host, pod: uid };
        return state.kind === "failing" || state.kind === "leaving" ? { host, reason: state.reason } : undefined;
      });
      if (found !== undefined) return found;
    }
    if (last?.host === undefined) throw await refused(fleet, wish, declined, refusal);
    return { host: last.host, reason: `its kubelet did not run the place's Pod within ${RUN_MS / 1_000} seconds` };
  }

  /** Whether Pods of places that ended are still there, on whose room the scheduler waits. */
  async #isRoomComing(): Promise<boolean> {
    const pods = await this.#pods.all();
    const rows = await this.#placings.rows(pods.map(({ id }) => id));
    return pods.some(({ id, state }) => state.kind === "leaving" || !rows.has(id));
  }

  /** The row first: a Pod without one is deleted at the latest when the directory starts again. */
  async #undo(id: number): Promise<void> {
    await this.#placings.cancel(id);
    await this.#pods.delete(id).catch((fault: unknown) => this.#onLeftBehind(id, fault));
  }
}

/** The hosts against which nothing that the directory knows speaks. @throws `conflict` where there are none. */
async function candidates(
  { ledger }: Pick<Fleet, "ledger">,
  wish: PlaceWish,
  declined: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const hosts = await ledger.hosts();
  if (wish.host !== undefined && !hosts.some(({ name }) => name === wish.host))
    throw new DirectoryError("conflict", `There is no host ${wish.host} in the fleet: ${await offers(hosts)}`);
  const holders = await ledger.holders(wish.ports);
  const able = hosts.filter(
    (host) =>
      (wish.host === undefined || host.name === wish.host) &&
      !declined.has(host.name) &&
      lackOf(host, wish, holders) === undefined,
  );
  if (able.length === 0) throw new DirectoryError("conflict", `${scope(wish)}: ${await offers(hosts)}`);
  return able.map(({ name }) => name);

  async function offers(of: readonly FleetHost[]): Promise<string> {
    return offersOf(of, wish, await ledger.holders(wish.ports), declined);
  }
}

async function refused(
  { ledger }: Pick<Fleet, "ledger">,
  wish: PlaceWish,
  declined: ReadonlyMap<string, string>,
  reason: string,
): Promise<DirectoryError> {
  const offers = offersOf(await ledger.hosts(), wish, await ledger.holders(wish.ports), declined);
  return new DirectoryError("conflict", `${scope(wish)}: Kubernetes places it nowhere (${reason}); ${offers}`);
}

function scope({ host }: PlaceWish): string {
  return host === undefined ? "No host gives such a place" : `No such place on ${host}`;
}

function tooLong(why: string): DirectoryError {
  return new DirectoryError("unavailable", `${why}: try again in a moment.`, { retryAfter: 1 });
}
