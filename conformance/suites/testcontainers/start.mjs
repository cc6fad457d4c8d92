// Starts every module of testcontainers on the engine of DOCKER_HOST, one after the other, and prints an outcome a line, in JSON.
// Half of them are stopped; the others are left to the reaper.
//
//   node start.mjs FOLDER     FOLDER has testcontainers and its modules in its node_modules
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MODULES } from "./modules.mjs";

const [, , checkout = ""] = process.argv;
const load = createRequire(join(checkout, "package.json"));
const folder = mkdtempSync(join(tmpdir(), "berth-modules-"));
for (const name of ["one.txt", "two.txt"]) writeFileSync(join(folder, name), name);

async function start({ package: name, class: kind, image }, { prepare, after }) {
  const container = new (load(`@testcontainers/${name}`)[kind])(image);
  await prepare?.(container, { folder });
  const started = await container.start();
  await after?.(started);
  return started;
}

const cases = MODULES.flatMap((module) => (module.cases ?? [{}]).map((one) => [module, one]));
for (const [at, [module, one]] of cases.entries()) {
  const name = [module.package, module.class, one.called].filter(Boolean).join(" ");
  let message = "";
  try {
    const started = await start(module, one);
    if (at % 2 === 0) await started.stop();
  } catch (error) {
    message = error instanceof Error ? error.message.trim() : String(error);
  }
  console.log(JSON.stringify({ name, message }));
}
rmSync(folder, { recursive: true });
// The connection to the reaper keeps the process alive.
process.exit();
