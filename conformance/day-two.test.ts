import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openReader, type Reader } from "./reader.testing.ts";
import { documentedCommands, patternOf } from "./readme.testing.ts";

// The commands of docs/day-two.md, in their order, run as a reader would. The page's other Postgres is there for it.

const commands = documentedCommands(readFileSync(resolve(import.meta.dirname, "../docs/day-two.md"), "utf8"));
const ELSEWHERE = "127.0.0.1:5433";

/** A server with the page's user, password and database, beside the reader's machine. */
const POSTGRES = `
  set -e
  place=$HOME/../elsewhere && bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
  install -d -o nobody -m 700 $place && cd $place && echo secret >pass && chown nobody pass
  as() { setpriv --reuid nobody --clear-groups -- "$@"; }
  as $bin/initdb -D $place/data -U berth --pwfile=$place/pass --auth=scram-sha-256 >/dev/null
  echo 'create database berth' | as $bin/postgres --single -D $place/data postgres >/dev/null
  as setsid $bin/postgres -D $place/data -c port=5433 -c listen_addresses=127.0.0.1 -c unix_socket_directories= >$place/log 2>&1 </dev/null &
  timeout 60 sh -c "until $bin/pg_isready -q -h 127.0.0.1 -p 5433; do sleep 0.1; done"`;

let reader: Reader;
let printed: readonly string[] = [];

beforeAll(async () => {
  reader = await openReader("dt", { "db.example.test": ELSEWHERE });
  await reader.inside(POSTGRES);
  await reader.inside("npm start");
  printed = await reader.session(commands.map(({ command }) => command));
}, 600_000);

afterAll(async () => {
  try {
    await reader.inside("kill -INT $(head -n 1 $HOME/../elsewhere/data/postmaster.pid)");
  } finally {
    reader.leave();
  }
}, 120_000);

describe("docs/day-two.md prints what these commands print", () => {
  test.each(commands.map((one, index) => ({ ...one, index })))("$command", ({ output, index }) => {
    expect(printed[index]).toMatch(patternOf(reader.here(output)));
  });
});

test("the page leaves nothing behind", async () => {
  expect(await reader.inside("ls $BERTH_STATE $BERTH_RUN 2>/dev/null || true")).toBe("");
});
