import { parsePortRange } from "@berth/port-spec";
import { EngineError } from "../../engine/errors.ts";
import { type Filters, holdsLabel } from "../../engine/filters.ts";
import { namePatterns } from "../../engine/name-patterns.ts";
import type { ContainerView, ListQuery } from "../containers.ts";
import type { Container, ContainerStatus } from "./container.ts";
import { isRunning } from "./state.ts";

const STATUSES: readonly ContainerStatus[] = [
  "created",
  "running",
  "paused",
  "restarting",
  "removing",
  "exited",
  "dead",
];

/** The valid values of filters that do not accept every text. */
const FORMS: Readonly<Record<string, RegExp>> = {
  status: new RegExp(`^(${STATUSES.join("|")})$`),
  health: /^(starting|healthy|unhealthy|none)$/,
  exited: /^[+-]?\d+$/,
  "is-task": /^(0|1|true|false)$/i,
};

/** Context for the values of a request's filters. */
interface Meanings {
  /** Resolves another container for `before` and `since`. */
  readonly find: (ref: string) => Container;
  /** Matchers for `id` and `name`. */
  readonly matches: (value: string, text: string) => boolean;
}

/** How each filter matches a container. */
type Matcher = (view: ContainerView, value: string, meanings: Meanings) => boolean;

const label: Matcher = ({ container }, value) => holdsLabel(container.config.Labels, value);

function port(
  filter: string,
  value: string,
): { readonly start: number; readonly end: number; readonly protocol: string } {
  const [range = "", protocol = "tcp"] = value.split("/");
  const parsed = parsePortRange(range);
  if (parsed === undefined)
    throw new EngineError(
      "invalid",
      `invalid filter '${filter}=${value}': want port[-port][/protocol], such as 8080/tcp`,
    );
  return { ...parsed, protocol: protocol.toLowerCase() };
}

function within(
  { filter, value }: { readonly filter: string; readonly value: string },
  ports: readonly { readonly port: number; readonly protocol: string }[],
): boolean {
  const wanted = port(filter, value);
  return ports.some(
    (found) => found.protocol === wanted.protocol && found.port >= wanted.start && found.port <= wanted.end,
  );
}

const MATCHERS: Readonly<Record<string, Matcher>> = {
  id: ({ container }, value, { matches }) => container.id.startsWith(value) || matches(value, container.id),
  name: ({ container }, value, { matches }) => matches(value, container.name) || matches(value, `/${container.name}`),
  label,
  status: ({ container }, value) => container.state.status === value,
  exited: ({ container }, value) => container.state.status === "exited" && container.state.exitCode === Number(value),
  health: ({ container }, value) => (container.state.health?.status ?? "none") === value,
  ancestor: ({ container }, value) =>
    container.imageId === value ||
    container.imageId === `sha256:${value}` ||
    container.imageId.startsWith(`sha256:${value}`) ||
    container.image === value ||
    container.image === `${value}:latest` ||
    container.image.split(":")[0] === value,
  network: (view, value) =>
    Object.entries(view.endpoints).some(
      ([name, { networkId }]) => name === value || (networkId !== "" && networkId.startsWith(value)),
    ),
  volume: ({ container }, value) =>
    container.mounts.some(({ name, destination }) => name === value || destination === value),
  publish: ({ assignments }, value) =>
    within(
      { filter: "publish", value },
      assignments.map(({ hostPort, protocol }) => ({ port: hostPort, protocol })),
    ),
  expose: ({ container }, value) =>
    within(
      { filter: "expose", value },
      container.ports.exposed.map((key) => ({ port: Number.parseInt(key, 10), protocol: key.split("/")[1] ?? "tcp" })),
    ),
  "is-task": (_, value) => /^(0|false)$/i.test(value),
  isolation: () => true,
  before: ({ container }, value, { find }) => container.createdAt < find(value).createdAt,
  since: ({ container }, value, { find }) => container.createdAt > find(value).createdAt,
};

function check(filters: Filters): void {
  for (const [key, values] of filters) {
    if (!Object.hasOwn(MATCHERS, key)) throw new EngineError("invalid", `invalid filter '${key}'`);
    const wrong = values.find((value) => !(FORMS[key] ?? /^/).test(value));
    if (wrong === undefined) continue;
    const shown = key === "is-task" ? `[${values.join(" ")}]` : wrong;
    throw new EngineError("invalid", `invalid filter '${key}=${shown}'`);
  }
}

/** All `label` values must match; for other filters one value is enough. */
function passes(view: ContainerView, filters: Filters, meanings: Meanings): boolean {
  for (const [key, values] of filters) {
    const matcher = MATCHERS[key];
    if (!matcher) continue;
    const holds = (value: string) => matcher(view, value, meanings);
    if (key === "label" ? !values.every(holds) : !values.some(holds)) return false;
  }
  return true;
}

/**
 * `GET /containers/json`, newest first. A limit, and filters about stopped containers, include stopped ones.
 * Throws `invalid` for an unknown filter or status.
 */
export function listContainers(
  containers: readonly Container[],
  query: ListQuery,
  viewOf: (container: Container) => ContainerView,
  find: (ref: string) => Container,
): readonly ContainerView[] {
  check(query.filters);
  const meanings = { find, matches: namePatterns(query.filters, ["id", "name"]) };
  const limited = query.limit !== undefined && query.limit > 0;
  const all = query.all || limited || ["status", "exited", "health"].some((key) => query.filters.has(key));
  const newestFirst = [...containers].sort((a, b) =>
    a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0,
  );
  const found: ContainerView[] = [];
  for (const container of newestFirst) {
    if (!all && !isRunning(container.state) && container.state.status !== "restarting") continue;
    const view = viewOf(container);
    if (!passes(view, query.filters, meanings)) continue;
    found.push(view);
    if (limited && found.length === query.limit) break;
  }
  return found;
}
