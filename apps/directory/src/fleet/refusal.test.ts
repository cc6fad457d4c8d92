import { expect, test } from "vitest";
import type { FleetHost, PlaceWish } from "./place.ts";
import { offersOf } from "./refusal.ts";

const GIB = 2 ** 30;

function host(number: number, memory: number): FleetHost {
  const state = { isDraining: false, isAlive: true, seenAt: "2030-01-01T00:00:00.000Z", places: 0 };
  const name = `h${number}`;
  return { name, address: `tcp://${name}:2375`, memory: 8 * GIB, cpu: 4, free: { memory, cpu: 4 }, ...state };
}

test("of a thousand hosts a refusal names the wanted one, some that have room, and how many more there are", () => {
  const hosts = Array.from({ length: 1_000 }, (_, at) => host(at, at % 100 === 7 ? 2 * GIB : 0));
  const size = { memory: GIB, cpu: 1, pids: 10 };
  const wish: PlaceWish = { name: "ci", userId: 7, host: "h500", size, ports: [], seconds: undefined };
  const offers = offersOf(hosts, wish, []).split("; ");
  expect(offers[0]).toBe("h500 lacks 1024 MiB of memory (0 MiB free)");
  expect(offers[1]).toBe("h7 has 2048 MiB and 4 CPUs free");
  expect(offers.slice(2, 8)).toHaveLength(6);
  expect(offers.at(-1)).toBe("992 more hosts");
});
