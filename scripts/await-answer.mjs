// node await-answer.mjs TARGET PID SECONDS
// Ends well once TARGET (`unix:SOCKET` is asked for /_ping, a URL as it stands) answers 200; ends badly when the process
// PID is gone or the time is over.
import { setTimeout as pause } from "node:timers/promises";
import { ask } from "./ask.mjs";

const [target, pid, seconds] = process.argv.slice(2);
const options = { timeout: 2000, ...(target.startsWith("unix:") ? { path: "/_ping" } : {}) };
const end = performance.now() + Number(seconds) * 1000;

while (performance.now() < end) {
  const answer = await ask(target, options).catch(() => undefined);
  if (answer?.status === 200 && lives(pid)) process.exit(0);
  if (!lives(pid)) process.exit(1);
  await pause(50);
}
process.exit(1);

function lives(id) {
  try {
    return process.kill(Number(id), 0);
  } catch {
    return false;
  }
}
