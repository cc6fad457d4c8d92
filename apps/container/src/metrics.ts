import {
  type Answered,
  createMetrics,
  type ListenAddress,
  type Opened,
  secondsHistogram,
  serveMetrics,
} from "@berth/service-kit";
import { Counter, Gauge } from "prom-client";
import type { Containers } from "./containers/containers.ts";
import type { Database } from "./db/database.ts";
import { HOST_ADMINISTRATOR } from "./engine/actor.ts";
import { DECISIONS, DIRECTORY_ANSWERS, START_STEPS } from "./engine/telemetry.ts";
import type { BridgeNetworks } from "./networks/networks-service.ts";
import type { PortBook } from "./ports/ports.ts";

/** What the container service's metrics are read from. */
interface Measured {
  readonly containers: Pick<Containers, "counts">;
  readonly ports: PortBook;
  readonly networks: Pick<BridgeNetworks, "readySandboxes">;
}

/** The metrics of the container service; `docs/operations.md` lists them. */
function containerMetrics(db: Database, measured: Measured) {
  const { registry, answered } = createMetrics(db);
  const registers = [registry];

  new Gauge({
    name: "berth_containers",
    help: "Containers by state.",
    labelNames: ["state"],
    registers,
    collect() {
      const { total, running, paused } = measured.containers.counts(HOST_ADMINISTRATOR);
      for (const [state, count] of Object.entries({ running, paused, stopped: total - running - paused }))
        this.set({ state }, count);
    },
  });
  new Gauge({
    name: "berth_port_leases",
    help: "Host ports that containers hold.",
    registers,
    collect() {
      this.set(measured.ports.leases().length);
    },
  });
  new Gauge({
    name: "berth_port_reservations",
    help: "Reservations of host ports.",
    registers,
    collect() {
      this.set(measured.ports.reservations().length);
    },
  });
  new Gauge({
    name: "berth_ready_sandboxes",
    help: "Network namespaces that wait for a container.",
    registers,
    collect() {
      this.set(measured.networks.readySandboxes());
    },
  });

  const steps = secondsHistogram(registry, "berth_start_step_duration_seconds", "Steps of starts; some overlap.", [
    "step",
  ]);
  START_STEPS.listen(({ step, begun, ended }) => steps.observe({ step }, (ended - begun) / 1_000));
  const asked = secondsHistogram(registry, "berth_directory_request_duration_seconds", "Questions to the directory.", [
    "outcome",
  ]);
  DIRECTORY_ANSWERS.listen(({ outcome, seconds }) => asked.observe({ outcome }, seconds));
  const decisions = new Counter({
    name: "berth_decisions_total",
    help: "Decisions on what users asked for, by the kind of constraint and the outcome.",
    labelNames: ["kind", "outcome"],
    registers,
  });
  DECISIONS.listen((decision) => decisions.inc(decision));
  return { registry, answered };
}

/** Serves the metrics if they have an address, and returns what requests are told to. */
export async function openMetrics(
  at: ListenAddress | undefined,
  parts: Measured & { readonly db: Database },
  opened: Opened,
): Promise<((request: Answered) => void) | undefined> {
  if (at === undefined) return undefined;
  const { registry, answered } = containerMetrics(parts.db, parts);
  opened.keep(await serveMetrics(registry, "BERTH_METRICS_LISTEN", at), (serving) => serving.close());
  return answered;
}
