import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../tools/postgres.testing.ts";
import { openReader, type Reader } from "./reader.testing.ts";
import { type Documented, documentedCommands, patternOf } from "./readme.testing.ts";

// docs/two-hosts.md, followed by a reader with two machines and a shared Postgres.

const DOCS = resolve(import.meta.dirname, "../docs");
const ADDRESSES = { alpha: "10.63.0.1", beta: "10.63.0.2" };

const page = sectionsOf(readFileSync(join(DOCS, "two-hosts.md"), "utf8"));
const databases: TestDatabase[] = [];
let alpha: Reader;
let beta: Reader;

/** A page's sections by their headings. */
function sectionsOf(text: string): Readonly<Record<string, string>> {
  const sections = text.split(/^## /m).slice(1);
  return Object.fromEntries(sections.map((one) => [one.slice(0, one.indexOf("\n")), one]));
}

/** The blocks of a section that are files, not commands. */
function filesIn(section = ""): readonly string[] {
  const blocks = [...section.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, language, block = ""]) => (language === "" ? [block] : []));
}

function commandsIn(section = ""): readonly Documented[] {
  return documentedCommands(section);
}

/** Joins the machines by a cable, with names for both ends. */
async function connect(): Promise<void> {
  const names = Object.entries(ADDRESSES).map(([name, address]) => `${address} ${name}.example.test`);
  for (const [reader, address] of [
    [alpha, ADDRESSES.alpha],
    [beta, ADDRESSES.beta],
  ] as const) {
    const cable = reader === alpha ? `ip link add eth0 type veth peer name eth0 netns ${beta.pid}` : "true";
    await reader.inside(`set -e; ${cable}; ip address add ${address}/24 dev eth0; ip link set eth0 up
      printf '127.0.0.1 localhost\\n${names.join("\\n")}\\n' >$HOME/hosts; mount --bind $HOME/hosts /etc/hosts`);
  }
}

function configure(reader: Reader, ...files: readonly (string | undefined)[]): void {
  writeFileSync(join(reader.folder, "etc/berth.conf"), reader.here(files.join("\n")));
}

/** What the commands print. Ann's are those with an address. */
function follow(reader: Reader, section: string | undefined, after?: (command: string) => string) {
  const commands = commandsIn(section).map(({ command }) => command);
  return reader.session(
    commands.map((one) => (one.startsWith("docker -H") ? `DOCKER_CONFIG=$HOME/ann ${one}` : one)),
    after,
  );
}

beforeAll(async () => {
  for (let i = 0; i < 3; i++) databases.push(await createTestDatabase());
  const shared = ["directory", "alpha", "beta"].map((name, i) => [
    `postgres://berth:secret@db.example.test/${name}`,
    databases[i]?.url ?? "",
  ]);
  alpha = await openReader("ha", Object.fromEntries(shared));
  beta = await openReader("hb", Object.fromEntries(shared));
  await connect();
  const [ofAlpha, ofBeta] = filesIn(page["One server for all databases"]);
  configure(alpha, ...filesIn(page["On alpha"]), ofAlpha);
  configure(beta, ...filesIn(page["On beta"]), ofBeta);

  const recipe = filesIn(sectionsOf(readFileSync(join(DOCS, "recipes.md"), "utf8"))["A team server"])[0] ?? "";
  await alpha.inside(`set -e\n${alpha.here(recipe.replaceAll("berth.example.test", "alpha.example.test"))}`);
  await beta.inside(`install -D ${alpha.folder}/etc/tls/ca.pem ${beta.folder}/etc/tls/ca.pem`);
}, 300_000);

afterAll(async () => {
  const readers = [alpha, beta].filter((one) => one !== undefined);
  await Promise.all(readers.map((reader) => reader.purge().finally(reader.leave)));
  for (const database of databases) await database.drop();
}, 300_000);

describe("docs/two-hosts.md prints what these commands print", { timeout: 300_000 }, () => {
  test("on alpha", async () => {
    const token = `token=$(grep -o 'bth_[A-Za-z0-9_-]*' "$HOME/output" | head -1)
      for home in $HOME ${beta.folder}/home; do
        mkdir -p $home/ann; printf '{"HttpHeaders": {"Authorization": "Bearer %s"}}' "$token" >$home/ann/config.json
      done`;
    const printed = await follow(alpha, page["On alpha"], (one) => (one.startsWith("berth tokens add") ? token : ""));
    expectPrinted(alpha, page["On alpha"], printed);
  });

  test("on beta", async () => {
    expectPrinted(beta, page["On beta"], await follow(beta, page["On beta"]));
  });

  test("a second container service on one database is refused and told of the first", async () => {
    const settings = `BERTH_STATE=$HOME/second BERTH_RUN=$HOME/s BERTH_SOCKET= BERTH_INSTANCE=hz BERTH_CONTAINER_DATABASE_URL='${databases[2]?.url}'`;
    await expect(alpha.inside(`${settings} timeout 60 node apps/container/dist/bundle/main.js`)).rejects.toThrow(
      /the database is in use by another container service \(berth-container .*, process \d+ on /,
    );
  });

  test("when a host is away, and when the directory answers again", async () => {
    await alpha.inside("docker rm -f web && npm stop");
    const section = page["What holds when a host is away"];
    expectPrinted(beta, section, await follow(beta, section));
    // The directory alone, of the same users: the engine of the other host needs no restart.
    const started = await alpha.inside("BERTH_SERVICES=directory npm start");
    expect(started).toContain("containers  not on this machine: BERTH_SERVICES is directory.");
    const names = await beta.inside(
      "DOCKER_CONFIG=$HOME/ann docker -H tcp://beta.example.test:2375 ps --format '{{.Names}}'",
    );
    expect(names).toBe("web\n");
  });
});

function expectPrinted(reader: Reader, section: string | undefined, printed: readonly string[]): void {
  commandsIn(section).forEach(({ command, output }, index) => {
    expect(printed[index], command).toMatch(patternOf(reader.here(output)));
  });
}
