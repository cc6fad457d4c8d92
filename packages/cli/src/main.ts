#!/usr/bin/env node
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Refused } from "./api.ts";
import { run } from "./run.ts";

const { BERTH_DIRECTORY_URL, BERTH_STATE, BERTH_TOKEN } = process.env;
const FILE = join(BERTH_STATE ?? "/var/lib/berth", "admin-token");

async function readToken(): Promise<string> {
  if (BERTH_TOKEN !== undefined) return BERTH_TOKEN;
  try {
    return (await readFile(FILE, "utf8")).trim();
  } catch {
    throw new Refused(`No token: set BERTH_TOKEN, or run as who may read ${FILE}.`);
  }
}

process.exitCode = await run(
  process.argv.slice(2),
  { url: BERTH_DIRECTORY_URL ?? "http://127.0.0.1:7780", token: readToken },
  {
    fetch,
    write: (output) => void process.stdout.write(output),
    complain: (output) => void process.stderr.write(output),
    readStdin: () => text(process.stdin),
  },
);
