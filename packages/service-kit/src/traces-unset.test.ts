import { Session } from "node:inspector/promises";
import { expect, test } from "vitest";
import { openTraces } from "./traces.ts";

const ENDPOINT = "http://127.0.0.1:1";

/** The scripts of OpenTelemetry that this process has loaded, but for its API, which the metrics' library brings. */
async function loadedScripts(): Promise<readonly string[]> {
  const session = new Session();
  session.connect();
  const urls: string[] = [];
  session.on("Debugger.scriptParsed", ({ params }) => urls.push(params.url));
  await session.post("Debugger.enable");
  session.disconnect();
  expect(urls.length).toBeGreaterThan(50);
  return urls.filter((url) => /@opentelemetry\/(?!api\/)/.test(url));
}

// In a file of its own: what other tests load stays loaded.
test.each([
  ["without settings", {}],
  ["with an empty endpoint", { OTEL_EXPORTER_OTLP_ENDPOINT: "" }],
  ["with traces that are off", { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_TRACES_EXPORTER: "none" }],
  ["with an SDK that is off", { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_SDK_DISABLED: "TRUE" }],
])("loads nothing of OpenTelemetry %s", async (_name, env) => {
  const log = { warn: () => undefined };
  expect(await openTraces("container", { env, log })).toBeUndefined();
  expect(await loadedScripts()).toEqual([]);
});

test("loads it where there is an endpoint", async () => {
  const env = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${ENDPOINT}/v1/traces` };
  const traces = await openTraces("container", { env, log: { warn: () => undefined } });
  await traces?.close();
  expect(await loadedScripts()).not.toEqual([]);
});
