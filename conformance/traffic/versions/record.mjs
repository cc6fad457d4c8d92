// Records what dockerd answers at every version: node conformance/traffic/versions/record.mjs
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../../../bench/start/engines.mjs";
import { loadBusybox } from "../../../scripts/busybox.mjs";
import { startReference } from "../reference.mjs";
import { packed } from "./pack.mjs";
import { playVersions } from "./play.mjs";
import { startRegistry } from "./registry.mjs";

const folder = mkdtempSync(join(tmpdir(), "traffic-dockerd-"));
const engine = await startReference(folder);
const registry = await startRegistry(folder, { enter: engine.enter });
try {
  await loadBusybox(`unix:${engine.socket}`, "busybox:latest");
  const recording = await playVersions(engine.socket, { registry: registry.address, legacyVersions: [] });
  writeFileSync(join(import.meta.dirname, "dockerd.fixture.json"), packed(recording));
} finally {
  registry.close();
  await engine.close();
  removeFolder(folder);
}
