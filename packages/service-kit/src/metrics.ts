import { createServer } from "node:http";
import { type SQL, sql } from "drizzle-orm";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { type ListenAddress, listenFault } from "./listen.ts";

/** A request that was answered; a stream counts from its first byte on, not to its end. */
export interface Answered {
  readonly method: string;
  /** The pattern of the path, as in `/containers/:id/json`; `none` where no route matched. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** Milliseconds to minutes: a `_ping` takes the first, a pull the last. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];

/** A histogram of seconds with the buckets that all of Berth's have. */
export function secondsHistogram<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly Label[],
): Histogram<Label> {
  return new Histogram({ name, help, labelNames: [...labelNames], buckets: SECONDS, registers: [registry] });
}

/** A database that answers queries. */
interface Queried {
  execute(query: SQL): PromiseLike<Iterable<Readonly<Record<string, unknown>>>>;
}

const CONNECTIONS = sql`
  select coalesce(state, 'starting') as state, count(*)::int as count from pg_stat_activity
  where application_name = current_setting('application_name') and datname = current_database()
  group by 1`;

/** The metrics that both services have, in Prometheus' form: the process, its event loop, requests and connections to the database. */
export function createMetrics(db: Queried): {
  readonly registry: Registry;
  readonly answered: (request: Answered) => void;
} {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = secondsHistogram(registry, "berth_http_request_duration_seconds", "Time to the answer's head.", [
    "method",
    "route",
    "status",
  ]);
  new Gauge({
    name: "berth_database_connections",
    help: "The service's connections to Postgres, by state.",
    labelNames: ["state"],
    registers: [registry],
    async collect() {
      this.reset();
      try {
        for (const { state, count } of await db.execute(CONNECTIONS)) this.set({ state: String(state) }, Number(count));
      } catch {
        // Without the database the other metrics are still worth reading.
      }
    },
  });
  return { registry, answered: ({ seconds, ...labels }) => requests.observe(labels, seconds) };
}

/** Serves `GET /metrics` at an address of its own, and nothing else. Throws an error that names the setting. */
export async function serveMetrics(
  registry: Registry,
  setting: string,
  at: ListenAddress,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    if (request.url !== "/metrics" || request.method !== "GET") return void response.writeHead(404).end();
    try {
      const text = await registry.metrics();
      response.writeHead(200, { "content-type": registry.contentType }).end(text);
    } catch {
      response.writeHead(500).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (fault) => reject(listenFault(setting, at, fault)));
    server.listen(at.port, at.host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : at.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
