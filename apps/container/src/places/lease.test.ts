import { expect, test } from "vitest";
import { Lease } from "./lease.ts";

test("holds for fifteen seconds after the directory answered, and not before", () => {
  let now = 0;
  const lease = new Lease(() => now);
  expect(lease.holds()).toBe(false);
  lease.renew();
  expect(lease.holds()).toBe(true);
  now = 14_999;
  expect(lease.holds()).toBe(true);
  now = 15_000;
  expect(lease.holds()).toBe(false);
});
