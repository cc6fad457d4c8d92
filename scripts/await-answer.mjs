// node await-answer.mjs TARGET PID SECONDS [LOG]
// Ends well once TARGET (`unix:SOCKET` is asked for /_ping, a URL as it stands) answers 200; ends badly when the process
// PID is gone or the time is over. Every five seconds it says what it waits for, and the newest message of the service's LOG.
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { ask } from "./ask.mjs";

const [target, pid, seconds, log] = process.argv.slice(2);
const options = { timeout: 2000, ...(target.startsWith("unix:") ? { path: "/_ping" } : {}) };
const begin = performance.now();
let told = 0;

while (waited() < Number(seconds)) {
  const answer = await ask(target, options).catch(() => undefined);
  if (answer?.status === 200 && lives(pid)) process.exit(0);
  if (!lives(pid)) process.exit(1);
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

function lives(id) {
  try {
    return process.kill(Number(id), 0);
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
