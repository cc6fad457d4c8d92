// Records the flow on dockerd, with each Docker CLI named: node conformance/traffic/record.mjs docker .cache/docker/usr/bin/docker
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder, startDockerd } from "../../bench/start/engines.mjs";
import { loadBusybox } from "../../scripts/busybox.mjs";
import { play } from "./play.mjs";
import { merge } from "./shape.mjs";

const clis = process.argv.length > 2 ? process.argv.slice(2) : ["docker"];
const recordings = [];
for (const cli of clis) {
  const folder = mkdtempSync(join(tmpdir(), "traffic-dockerd-"));
  const engine = await startDockerd(folder);
  try {
    await loadBusybox(`unix:${engine.socket}`, "busybox:latest");
    recordings.push(await play(engine.socket, { cli }));
  } finally {
    await engine.close();
    removeFolder(folder);
  }
}

const merged = {};
for (const [command, { codes, exchanges }] of recordings.flatMap((recording) => Object.entries(recording))) {
  merged[command] ??= { codes: [], exchanges: {} };
  merged[command].codes = [...new Set([...merged[command].codes, ...codes])].sort();
  for (const [request, shape] of Object.entries(exchanges)) {
    merged[command].exchanges[request] ??= {};
    merge(merged[command].exchanges[request], shape);
  }
}
const lines = Object.entries(merged).map(
  ([command, recorded]) => `${JSON.stringify(command)}: ${JSON.stringify(recorded)}`,
);
writeFileSync(join(import.meta.dirname, "dockerd.fixture.json"), `{\n${lines.join(",\n")}\n}\n`);
