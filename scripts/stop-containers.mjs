// node stop-containers.mjs
// Removes the demo and stops every other running container, each with its own time to end, all at once.
import { ask } from "./ask.mjs";

const engine = `unix:${process.env.BERTH_SOCKET}`;
const { json: containers } = await ask(engine, { path: "/containers/json" });
const results = await Promise.all(
  containers.map(async ({ Id, Names }) => {
    const demo = Names.includes("/berth-demo");
    const path = demo ? `/containers/${Id}?force=true&v=true` : `/containers/${Id}/stop`;
    const { status, json } = await ask(engine, { method: demo ? "DELETE" : "POST", path, timeout: 120_000 });
    if (status >= 400) console.error(`  container   ${Names[0]}: ${json?.message ?? status}`);
    return status < 400;
  }),
);
if (containers.length > 0) console.log(`  containers  stopped: ${containers.length}`);
process.exitCode = results.every(Boolean) ? 0 : 1;
