import { readdir, readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCommand } from "../command.ts";
import { uniqueInstance } from "../host.testing.ts";
import { openNft } from "./nft.ts";

const table = uniqueInstance();
const nft = openNft();

beforeAll(() => nft.apply([`add table ip ${table}`, `add map ip ${table} m { type inet_service : ipv4_addr; }`]));
afterAll(async () => {
  await nft.apply([`delete table ip ${table}`]);
  await nft.close();
});

async function elements(): Promise<string> {
  return runCommand("nft", ["list", "map", "ip", table, "m"]);
}
function add(port: number, address = "10.0.0.1") {
  return `add element ip ${table} m { ${port} : ${address} }`;
}
const FLUSH = `flush map ip ${table} m`;

/** The `nft -i` that this process started. */
async function session(): Promise<number | undefined> {
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const [stat, command] = await Promise.all(
      ["stat", "cmdline"].map((file) => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "")),
    );
    if (command?.startsWith("nft\0-i") && stat?.split(") ")[1]?.split(" ")[1] === String(process.pid))
      return Number(pid);
  }
  return undefined;
}

async function signal(name: NodeJS.Signals): Promise<void> {
  const pid = await session();
  // Never 0: that is the whole process group.
  if (pid === undefined) throw new Error("no nft to signal");
  process.kill(pid, name);
}

it("applies all or nothing, and says what was wrong", async () => {
  await nft.apply([FLUSH, add(1)]);
  await expect(nft.apply([add(2), `add element ip ${table} nowhere { 3 : 10.0.0.1 }`])).rejects.toThrow(/No such file/);
  await expect(nft.apply([add(2), `delete element ip ${table} m { 9 }`])).rejects.toThrow(/No such file/);
  await expect(nft.apply([add(2), "no command"])).rejects.toThrow(/syntax error/);
  expect(await elements()).toMatch(/elements = \{ 1 : 10\.0\.0\.1 \}/);
  await nft.apply([add(2)]);
  expect(await elements()).toContain("2 : 10.0.0.1");
});

it("keeps the order of calls that nobody waited for", async () => {
  await Promise.all([
    nft.apply([FLUSH, add(5, "10.0.0.1")]),
    nft.apply([`delete element ip ${table} m { 5 }`, add(5, "10.0.0.2")]),
    nft.apply([`delete element ip ${table} m { 5 }`, add(5, "10.0.0.3")]),
  ]);
  expect(await elements()).toContain("5 : 10.0.0.3");
});

it("takes scripts longer than a line may be, and goes on with short ones", async () => {
  const ports = Array.from({ length: 2_000 }, (_, index) => index + 100);
  await nft.apply([FLUSH, `add element ip ${table} m { ${ports.map((port) => `${port} : 10.0.0.1`).join(", ")} }`]);
  await nft.apply([add(1)]);
  expect((await elements()).match(/10\.0\.0\.1/g)).toHaveLength(2_001);
});

it("goes on where the process behind it dies, at rest or under way", async () => {
  await nft.apply([FLUSH, add(1)]);
  await signal("SIGKILL");
  while ((await session()) !== undefined) await new Promise(setImmediate);
  await nft.apply([add(2)]);
  await nft.apply([add(2)]);
  await signal("SIGSTOP");
  const stuck = nft.apply([add(3)]);
  await signal("SIGKILL");
  await stuck;
  await nft.apply([add(4)]);
  for (const port of [1, 2, 3, 4]) expect(await elements()).toContain(`${port} : 10.0.0.1`);
});

it("ends its process when closed, and begins another when asked again", async () => {
  await nft.apply([add(1)]);
  expect(await session()).toBeDefined();
  await nft.close();
  expect(await session()).toBeUndefined();
  await nft.apply([add(6)]);
  expect(await elements()).toContain("6 : 10.0.0.1");
});
