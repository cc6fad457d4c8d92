import { readFile } from "node:fs/promises";
import { afterAll, expect, it } from "vitest";
import { bridgesOf, makeBridge } from "./bridge.ts";
import { runCommand } from "./command.ts";
import { removeLinks } from "./namespace.ts";

const instance = `tg${(process.pid % 46_656).toString(36)}`;
const bridge = {
  name: `${instance}0`,
  instance,
  addresses: ["10.61.7.1/24"],
  macAddress: "02:42:0a:3d:07:01",
  mtu: 1500,
  routes: [],
  ipv6: "default" as const,
};
const address = `/sys/class/net/${bridge.name}/address`;

afterAll(() => removeLinks([bridge.name]));

it("leaves a bridge of the host alone, and takes over what a crash left of its own", async () => {
  // As `docker0`, or as an administrator's: up, and without an alias.
  await runCommand("ip", ["link", "add", bridge.name, "up", "type", "bridge"]);
  const before = await readFile(address, "utf8");
  await expect(makeBridge(bridge)).rejects.toThrow(`the host has a link ${bridge.name} that is not ours`);
  expect([await readFile(address, "utf8"), await bridgesOf(instance)]).toEqual([before, []]);

  // A crash between its creation and its marking: it was never up.
  await runCommand("ip", ["link", "set", bridge.name, "down"]);
  for (let round = 0; round < 2; round++) {
    await makeBridge(bridge);
    expect([await readFile(address, "utf8"), await bridgesOf(instance)]).toEqual([
      `${bridge.macAddress}\n`,
      [bridge.name],
    ]);
  }
});
