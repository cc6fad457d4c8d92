import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { enableIPv6Forwarding } from "./forwarding.ts";

/** Settings of links as `/proc/sys/net/ipv6/conf` has them: `accept_ra`, then `forwarding`. */
async function settled(settings: Readonly<Record<string, readonly [string, string]>>) {
  const folder = await mkdtemp(join(tmpdir(), "berth-forwarding-"));
  try {
    for (const [link, [acceptRa, forwarding]] of Object.entries(settings)) {
      await mkdir(join(folder, link));
      await writeFile(join(folder, link, "accept_ra"), `${acceptRa}\n`);
      await writeFile(join(folder, link, "forwarding"), `${forwarding}\n`);
    }
    await enableIPv6Forwarding(folder);
    const read = async (link: string, key: string) => (await readFile(join(folder, link, key), "utf8")).trim();
    const links = await Promise.all(
      Object.keys(settings).map(async (link) => [link, await read(link, "accept_ra")] as const),
    );
    return { forwarding: await read("all", "forwarding"), links: Object.fromEntries(links) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

it("lets links that listen to router advertisements go on, and no other", async () => {
  const before = { all: ["1", "0"], default: ["1", "0"], eth0: ["1", "0"], br0: ["0", "0"], tun0: ["1", "1"] } as const;
  expect(await settled({ ...before, eth1: ["2", "0"] })).toEqual({
    forwarding: "1",
    links: { all: "1", default: "1", eth0: "2", br0: "0", tun0: "1", eth1: "2" },
  });
});

it("changes nothing where forwarding is on", async () => {
  expect(await settled({ all: ["1", "1"], eth0: ["1", "0"] })).toEqual({
    forwarding: "1",
    links: { all: "1", eth0: "1" },
  });
});
