import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { HostFirewalls } from "./host-firewalls.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearTimeout", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

it("checks once more for all changes during a slow check, and not at all once it closes", async () => {
  let changed = (): void => undefined;
  const listings: (() => void)[] = [];
  const nothing = () => undefined;
  const firewalls = new HostFirewalls({
    instance: "berth",
    // Each look at the rules takes until the test ends it.
    run: (_program, args) =>
      args.includes("ruleset")
        ? new Promise((resolve) => listings.push(() => resolve('{"nftables": []}')))
        : Promise.resolve(""),
    log: { info: nothing, warn: nothing, error: nothing },
    watch: (again) => {
      changed = again;
      return { close: nothing };
    },
  });
  const finish = async (): Promise<void> => {
    await vi.waitUntil(() => listings.length > 0);
    listings.shift()?.();
  };
  const admitted = firewalls.admit({ all: ["berth0"], named: [], ipv6: { all: [], named: [] } });
  const changeOften = async (): Promise<void> => {
    for (let count = 0; count < 50; count++) {
      changed();
      await vi.advanceTimersByTimeAsync(250);
    }
  };
  await changeOften();
  expect(listings).toHaveLength(1);
  await finish();
  await admitted;
  await vi.waitUntil(() => listings.length > 0);
  await changeOften();
  const closed = firewalls.close();
  await finish();
  await closed;
  expect(listings).toHaveLength(0);
});
