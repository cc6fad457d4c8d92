// node await-answer.mjs TARGET SERVICE SECONDS [LOG]
// Ends well once TARGET (`unix:SOCKET` is asked for /_ping, a URL as it stands) answers 200; ends badly when the service of
// SERVICE.supervisor ended twice in a row, or the time is over. Every five seconds it says what it waits for, and the newest message of
// the service's LOG.
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { ask } from "./ask.mjs";

const [target, service, seconds, log] = process.argv.slice(2);
const MOST_FAILURES = 2;
const options = { timeout: 2000, ...(target.startsWith("unix:") ? { path: "/_ping" } : {}) };
const begin = performance.now();
let told = 0;

while (waited() < Number(seconds)) {
  const answer = await ask(target, options).catch(() => undefined);
  // Another program may have the address.
  if (answer?.status === 200 && lives(numberIn("pid"))) process.exit(0);
  if (!lives(numberIn("supervisor")) || numberIn("failures") >= MOST_FAILURES) process.exit(1);
  if (waited() >= told + 5) {
    told = Math.floor(waited());
    console.log(`              waiting for ${target} (${told} s)${newestMessage()}`);
  }
  await pause(50);
}
process.exit(1);

function waited() {
  return (performance.now() - begin) / 1000;
}

/** What is in that file of the service; NaN where there is none. */
function numberIn(extension) {
  try {
    return Number.parseInt(readFileSync(`${service}.${extension}`, "utf8"), 10);
  } catch {
    return Number.NaN;
  }
}

function lives(id) {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

function newestMessage() {
  try {
    const last = readFileSync(log, "utf8").trimEnd().split("\n").at(-1);
    return `; its log: ${JSON.parse(last).msg}`;
  } catch {
    return "";
  }
}
