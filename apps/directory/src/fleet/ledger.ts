import type { PlaceSize } from "@berth/directory-domain";
import type { FleetHost, FleetPlace, PlaceWish, PortHolder } from "./place.ts";
import type { HostReport, Plan } from "./report.ts";

/** An amount that a place takes of an account, and the most that the account may reach; undefined for no bound. */
export interface Amount {
  /** `user/7/memory` or `shared/12/memory`, by the constraint's id. */
  readonly account: string;
  readonly amount: number;
  readonly max: number | undefined;
}

/** Why a take was not granted: the host is gone, away or draining; an account has no room; somebody has a port or the name. */
export type TakeFault = "host" | "room" | "ports" | "name";

/** A host as its report found it. `turn` is what the next report has to carry. */
export type Heard =
  | { readonly outcome: "accepted"; readonly turn: number }
  /** The report is older than another one, or the first of a service: it changed nothing. */
  | { readonly outcome: "stale"; readonly turn: number }
  /** No such host is known and it has places: they were given up for lost. */
  | { readonly outcome: "unknown" }
  /** Another token speaks for a host of this name. */
  | { readonly outcome: "foreign" };

/** Who speaks for a host, and what it says of itself. */
export interface Speaker {
  readonly name: string;
  readonly tokenId: number;
  readonly address: string;
  readonly size: Pick<PlaceSize, "memory" | "cpu">;
}

/** The hosts, places, ports and amounts of the fleet. Every change is one transaction; those of users are in the audit. */
export interface Ledger {
  hosts(): Promise<readonly FleetHost[]>;
  places(of: { readonly userId?: number; readonly id?: number }): Promise<readonly FleetPlace[]>;
  /** What is in use of accounts, by the account. */
  used(accounts: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Who has these ports on any host, in places and by the hosts' own reports. */
  holders(ports: PlaceWish["ports"]): Promise<readonly PortHolder[]>;
  /** Takes room, amounts and ports for a place by one statement: all of it or nothing. */
  take(
    actor: number,
    wish: PlaceWish & { readonly host: string },
    amounts: readonly Amount[],
  ): Promise<number | TakeFault>;
  /** Lets a place last so many seconds from now. False unless that is longer, and its host is there. */
  extend(actor: number, id: number, seconds: number): Promise<boolean>;
  /** Lets a place end. False if there is none. */
  end(actor: number, id: number): Promise<boolean>;
  /** Takes a host's report, which changes what `plan` makes of it and the host's places. */
  hear(
    speaker: Speaker,
    report: HostReport,
    plan: (places: readonly FleetPlace[], report: HostReport) => Plan,
  ): Promise<Heard>;
  /** What a host has to have. */
  wanted(host: string): Promise<readonly FleetPlace[]>;
  /** Grants no more places there, or does so again. False if there is no such host. */
  drain(actor: number, host: string, isDraining: { readonly isDraining: boolean }): Promise<boolean>;
  /** Gives up a host with its places, unless it was seen within `UNSEEN_SECONDS`. */
  forget(actor: number, host: string): Promise<"forgotten" | "alive" | "unknown">;
}
