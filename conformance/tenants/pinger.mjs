// node pinger.mjs SOCKET, as a child with a channel: pings the engine over and over, and sends when each ping began and how long it took,
// in milliseconds. In a process of its own, because the attackers keep theirs busy.
import { setTimeout as pause } from "node:timers/promises";
import { ask } from "../../scripts/ask.mjs";

const target = `unix:${process.argv[2]}`;
for (const end of ["disconnect", "error"]) process.once(end, () => process.exit());
for (;;) {
  const at = Date.now();
  const before = performance.now();
  await ask(target, { path: "/_ping" });
  process.send({ at, took: performance.now() - before });
  await pause(20);
}
