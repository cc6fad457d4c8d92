// Records the flow on dockerd, with each Docker CLI named: node conformance/traffic/record.mjs docker .cache/docker/usr/bin/docker
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder, startDockerd } from "../../bench/start/engines.mjs";
import { loadBusybox } from "../../scripts/busybox.mjs";
import { play } from "./play.mjs";
import { merge } from "./shape.mjs";

const clis = process.argv.length > 2 ? process.argv.slice(2) : ["docker"];
const RECORDINGS = [];
for (const cli of clis) {
  const folder = mkdtempSync(join(tmpdir(), "traffic-dockerd-"));
  const engine = await startDockerd(folder);
  try {
    await loadBusybox(`unix:${engine.socket}`, "busybox:latest");
    RECORDINGS.push(await play(engine.socket, { cli }));
  } finally {
    await engine.close();
    removeFolder(folder);
  }
}

const MERGED = {};
for (const [command, { codes, exchanges }] of RECORDINGS.flatMap((recording) => Object.entries(recording))) {
  MERGED[command] ??= { codes: [], exchanges: {} };
  MERGED[command].codes = [...new Set([...MERGED[command].codes, ...codes])].sort();
  for (const [request, shape] of Object.entries(exchanges)) {
    MERGED[command].exchanges[request] ??= {};
    merge(MERGED[command].exchanges[request], shape);
  }
}
const lines = Object.entries(MERGED).map(
  ([command, recorded]) => `${JSON.stringify(command)}: ${JSON.stringify(recorded)}`,
);
writeFileSync(join(import.meta.dirname, "dockerd.fixture.json"), `{\n${lines.join(",\n")}\n}\n`);
