// Records the flow on dockerd, with each Docker CLI named, in a file for its API version:
//
//     node conformance/traffic/record.mjs .cache/clients/usr/bin/docker .cache/docker/usr/bin/docker
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../../bench/start/engines.mjs";
import { loadBusybox } from "../../scripts/busybox.mjs";
import { fixtureOf } from "./fixtures.mjs";
import { apiVersionOf, play } from "./play.mjs";
import { startReference } from "./reference.mjs";

for (const cli of process.argv.slice(2)) {
  const folder = mkdtempSync(join(tmpdir(), "traffic-dockerd-"));
  const engine = await startReference(folder);
  try {
    await loadBusybox(`unix:${engine.socket}`, "busybox:latest");
    const recording = await play(engine.socket, { cli });
    const lines = Object.entries(recording).map(
      ([command, recorded]) => `${JSON.stringify(command)}: ${JSON.stringify(recorded)}`,
    );
    writeFileSync(fixtureOf(await apiVersionOf(cli)), `{\n${lines.join(",\n")}\n}\n`);
  } finally {
    await engine.close();
    removeFolder(folder);
  }
}
