import { Refused } from "../api.ts";
import { leftOf } from "./duration.ts";

/** A place, of this host or of the fleet. */
export interface Place {
  readonly id: string | number;
  readonly name: string;
  readonly user: { readonly login: string };
  readonly memory: number;
  readonly cpus: number;
  readonly pids: number;
  readonly ports: readonly string[];
  readonly state: string;
  readonly containers?: number;
}

/** A place with its time, as the command shows it, and as it was answered. */
export interface Found<P extends Place = Place> {
  readonly place: P;
  readonly secondsLeft: number | null;
}

/** What to take. */
export interface Wish {
  readonly name: string;
  /** The login of the user who gets it; oneself where it is undefined. */
  readonly user: string | undefined;
  readonly memory: number;
  readonly cpus: number;
  readonly pids: number;
  readonly ports: readonly string[];
  readonly seconds: number | undefined;
}

/** Where places are: on this host, or in the directory's fleet. */
export interface Places<P extends Place = Place> {
  /** Words for where they are: `on this host`. */
  readonly where: string;
  readonly columns: readonly string[];
  list(): Promise<readonly Found<P>[]>;
  take(wish: Wish): Promise<Found<P>>;
  extend(place: P, seconds: number): Promise<Found<P>>;
  /** Whether nothing of it is left yet. */
  give(place: P): Promise<"ended" | "ending">;
}

/** An amount of memory as the flags of `berth` and `docker` take it: `4096m`. */
export function mebibytes(bytes: number): string {
  return `${Math.floor(bytes / 2 ** 20)}m`;
}

/** A place as one line of a table. */
export function rowOf({ place, secondsLeft }: Found): object {
  const { name, user, memory, ports, ...rest } = place;
  return {
    ...rest,
    ...{ place: name, user: user.login, memory: mebibytes(memory) },
    ...{ ports: ports.length === 0 ? null : ports.join(" "), left: leftOf(secondsLeft) },
  };
}

/** The place that `NAME` or `LOGIN/NAME` means. */
export async function named<P extends Place>(places: Places<P>, text: string): Promise<P> {
  const all = (await places.list()).map(({ place }) => place);
  const found = all.filter(({ name, user }) => text === name || text === `${user.login}/${name}`);
  const [place, ...others] = found;
  if (place === undefined) throw new Refused(`There is no place ${text} ${places.where}; berth places lists them.`);
  if (others.length > 0)
    throw new Refused(`${text} is ambiguous: use ${found.map((one) => `${one.user.login}/${one.name}`).join(" or ")}.`);
  return place;
}
