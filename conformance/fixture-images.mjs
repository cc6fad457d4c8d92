import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadBusybox } from "../scripts/busybox.mjs";

/**
 * Compiles a program of `fixtures` that any image can run.
 * @param {string} name
 * @returns {Buffer}
 */
export function compileFixture(name) {
  const folder = mkdtempSync(join(tmpdir(), "berth-fixture-"));
  try {
    const program = join(folder, name);
    execFileSync("gcc", ["-O2", "-static", "-o", program, join(import.meta.dirname, `fixtures/${name}.c`)]);
    return readFileSync(program);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Loads a reaper that speaks Ryuk's protocol.
 * @param {string} engine as `ask` takes it
 * @param {string} image
 */
export async function loadReaper(engine, image) {
  const files = [{ name: "bin/ryuk", mode: 0o755, content: compileFixture("reaper") }];
  await loadBusybox(engine, image, { files, command: ["/bin/ryuk"] });
}
