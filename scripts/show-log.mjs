// node show-log.mjs SERVICE: reads a service's log (a JSON object a line) and prints it for a person. Other lines pass as they are.
import { createInterface } from "node:readline";

const LEVELS = { 10: "trace", 20: "debug", 30: "info", 40: "warn", 50: "ERROR", 60: "FATAL" };
const service = process.argv[2] ?? "";

// A signal to the group is for the service, whose last lines are still to be shown.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
for await (const line of createInterface({ input: process.stdin }))
  console.error(`${service.padEnd(9)} ${shown(line)}`);

/** @param {string} line */
function shown(line) {
  const entry = parsed(line);
  if (entry === undefined) return line;
  const { level, time, msg, err, service: name, pid, hostname, ...fields } = entry;
  const rest = Object.keys(fields).length === 0 ? "" : ` ${JSON.stringify(fields)}`;
  return `${new Date(time).toISOString().slice(11, 23)} ${(LEVELS[level] ?? String(level)).padEnd(5)} ${msg ?? ""}${rest}${shownFault(err)}`;
}

/** An error as the services' logs have them, with its causes. */
function shownFault(err) {
  if (err === undefined) return "";
  const { name, message, stack, cause } = err;
  return [`\n${name}: ${message}`, ...stack].join("\n") + shownFault(cause);
}

/** @param {string} line */
function parsed(line) {
  try {
    const value = JSON.parse(line);
    return typeof value === "object" && value !== null && "level" in value ? value : undefined;
  } catch {
    return undefined;
  }
}
