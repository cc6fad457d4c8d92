import { expect } from "vitest";
import { REPORT_SCOPE } from "../accounts/records.ts";
import type { Received, Sent, TestDirectory } from "../directory.testing.ts";
export const GIB = 2 ** 30;

interface Wanted {
  readonly grant: number;
  readonly ports: readonly string[];
  readonly secondsLeft: number | null;
}

/** Where a host reports: a directory of a test's own, or a real one. */
interface Reported {
  send(method: string, path: string, sent: Sent): Promise<Pick<Received, "status" | "json">>;
}

/** A host of the fleet as its directory hears it: it has what it is told to have at once, unless a test says otherwise. */
export class SimulatedHost {
  readonly name: string;
  readonly #directory: Reported;
  readonly #token: string;
  readonly size = { memory: 8 * GIB, cpus: 4 };
  #turn: number | null = null;
  /** Its places, by their ids. */
  readonly has = new Map<number, Wanted>();
  #refused: { grant: number; reason: string }[] = [];
  /** Why it refuses a place; undefined to take it. */
  refuses: (place: Wanted) => string | undefined = () => undefined;

  constructor(directory: Reported, name: string, token: string) {
    this.#directory = directory;
    this.name = name;
    this.#token = token;
  }

  /** What it says of itself. */
  report(waitSeconds = 0) {
    const places = [...this.has.values()].map(({ grant, secondsLeft }) => {
      return { grant, state: "ready", secondsLeft, containers: 1 };
    });
    const address = `tcp://${this.name}.example.test:2375`;
    return { turn: this.#turn, waitSeconds, address, ...this.size, places, refused: this.#refused };
  }

  send(json: object, token = this.#token) {
    return this.#directory.send("PUT", `/api/fleet/hosts/${this.name}`, { token, json });
  }

  /** Reports once and does as it is told; whether anything changed. */
  async turn(waitSeconds = 0): Promise<boolean> {
    const sent = this.report(waitSeconds);
    const { status, json } = await this.send(sent);
    expect({ status, json }).toMatchObject({ status: 200 });
    this.#turn = json.turn;
    if (json.outcome === "stale") return true;
    this.#refused = [];
    const wanted = new Map((json.places as readonly Wanted[]).map((one) => [one.grant, one]));
    let isChanged = false;
    for (const grant of this.has.keys())
      if (!wanted.has(grant)) {
        this.has.delete(grant);
        isChanged = true;
      }
    for (const place of wanted.values()) {
      if (this.has.has(place.grant)) continue;
      const reason = this.refuses(place);
      if (reason === undefined) this.has.set(place.grant, place);
      else this.#refused.push({ grant: place.grant, reason });
      isChanged = true;
    }
    return isChanged;
  }

  /** Reports until nothing is left to do. */
  async settle(): Promise<void> {
    while (await this.turn());
  }

  /** Its service starts again: it has its places, and no turn. */
  restart(): void {
    this.#turn = null;
  }

  /** Reports until `until` says so, and waits for news meanwhile. */
  async follow(isOver: () => boolean): Promise<void> {
    while (!isOver()) await this.turn(1);
  }
}

/** Adds a host to the directory's fleet, with a token of its own. */
export async function addHost(directory: TestDirectory, name: string): Promise<SimulatedHost> {
  const operator = await directory.addUser(`${name}-service`, { role: "operator" });
  const json = { label: name, scopes: [REPORT_SCOPE], userId: operator.id };
  const { token } = (await directory.send("POST", "/api/tokens", { json })).json;
  const host = new SimulatedHost(directory, name, token);
  await host.settle();
  return host;
}

/** Moves a host's last report into the past. */
export async function silence(directory: TestDirectory, name: string): Promise<void> {
  const { sql } = await import("drizzle-orm");
  await directory.database.db.execute(
    sql`update directory.fleet_hosts set seen_at = now() - interval '1 minute' where name = ${name}`,
  );
}
