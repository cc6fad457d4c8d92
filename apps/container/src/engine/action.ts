/** How a request reached the engine; `service` is the engine itself, without a request. */
export type Via = "administrators-socket" | "user-socket" | "token" | "certificate" | "service";

/** Something that was done on this engine, or refused: who, what and why, but no value that a request carried. */
export interface Action {
  /** The directory's id of the user; undefined for the administrators' socket, the engine itself and strangers. */
  readonly actor: string | undefined;
  readonly login: string | undefined;
  readonly via: Via;
  readonly address: string | undefined;
  /** A kind of thing and what was done to it: `container.start`. */
  readonly action: string;
  /** A kind of thing and its id, or its name where it has no other: `container/0123…`, or `engine`. */
  readonly target: string;
  readonly name: string | undefined;
  readonly owner: string | undefined;
  readonly image: string | undefined;
  readonly outcome: "done" | "refused" | "failed";
  /** Whether no constraint bound the actor: an administrator's request. */
  readonly bypass: boolean;
  /** Why it was refused; for what failed the kind of the error alone, since its text may repeat what the request carried. */
  readonly reason: string | undefined;
}

/** Takes down actions. Never waits and never fails: the request that it is about has been answered. */
export interface ActionSink {
  record(action: Action): void;
}

/** An action as it is stored and reported. `reportId` is new for each, so that a repeated report counts once. */
export interface RecordedAction extends Action {
  readonly reportId: string;
  readonly at: string;
  /** How many there were, where some were only counted. */
  readonly count: number | undefined;
}

/** Sends actions to the directory's audit; `rejected` if it does not take them. Throws `unavailable` if it cannot be asked now. */
export type ReportActions = (actions: readonly RecordedAction[]) => Promise<"taken" | "rejected">;

/** An action of the engine itself that is about no container. */
export const OWN = {
  actor: undefined,
  login: undefined,
  via: "service",
  address: undefined,
  target: "engine",
  name: undefined,
  owner: undefined,
  image: undefined,
  bypass: false,
} as const satisfies Partial<Action>;

/** An action of the engine itself on a container. */
export function ownAction(
  action: string,
  {
    id,
    name,
    owner,
    image,
  }: { readonly id: string; readonly name: string; readonly owner?: string | undefined; readonly image: string },
  { outcome, reason }: Pick<Action, "outcome" | "reason">,
): Action {
  return { ...OWN, action, target: `container/${id}`, name, owner, image, outcome, reason };
}
