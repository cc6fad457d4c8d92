import type { ContainerState } from "../../containers/records/container.ts";

/** Formats a duration as Docker does (`units.HumanDuration`): `3 minutes`, `About an hour`. `milliseconds` is not negative. */
export function formatSpan(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60 + 0.5);
  if (seconds < 1) return "Less than a second";
  if (seconds === 1) return "1 second";
  if (seconds < 60) return `${seconds} seconds`;
  if (minutes === 1) return "About a minute";
  if (minutes < 60) return `${minutes} minutes`;
  if (hours === 1) return "About an hour";
  if (hours < 48) return `${hours} hours`;
  if (hours < 24 * 7 * 2) return `${Math.floor(hours / 24)} days`;
  if (hours < 24 * 30 * 2) return `${Math.floor(hours / 24 / 7)} weeks`;
  if (hours < 24 * 365 * 2) return `${Math.floor(hours / 24 / 30)} months`;
  return `${Math.floor(hours / 24 / 365)} years`;
}

/** The `Status` of a list entry: `Up 3 minutes (healthy)`, `Exited (0) 2 hours ago`. `now` is in milliseconds. */
export function formatStatus(state: ContainerState, now: number): string {
  const span = (time: string | undefined): string =>
    formatSpan(time === undefined ? 0 : Math.max(0, now - Date.parse(time)));
  switch (state.status) {
    case "created":
      return "Created";
    case "running":
      return `Up ${span(state.startedAt)}${healthText(state)}`;
    case "paused":
      return `Up ${span(state.startedAt)} (Paused)`;
    case "restarting":
      return `Restarting (${state.exitCode}) ${span(state.finishedAt)} ago`;
    case "removing":
      return "Removal In Progress";
    case "dead":
      return "Dead";
    case "exited":
      return `Exited (${state.exitCode}) ${span(state.finishedAt)} ago`;
  }
}

function healthText({ health }: ContainerState): string {
  if (health === undefined) return "";
  return health.status === "starting" ? " (health: starting)" : ` (${health.status})`;
}
