import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createTestDatabase } from "../../../../tools/postgres.testing.ts";
import { startHeartbeat } from "./feed-heartbeat.ts";
import { openPostgres } from "./postgres.ts";

describe("hearing", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("is proved by one's own beats for a second, and by nobody else's", async () => {
    const sent: string[] = [];
    const hearing = startHeartbeat(async (payload) => void sent.push(payload));
    const [first = ""] = sent;
    expect(hearing.isHearing()).toBe(false);
    expect(hearing.takes(JSON.stringify({ ...JSON.parse(first), beat: randomUUID() }))).toBe(true);
    expect(hearing.isHearing()).toBe(false);
    expect(hearing.takes(first)).toBe(true);
    expect(hearing.isHearing()).toBe(true);
    await vi.advanceTimersByTimeAsync(999);
    expect(hearing.isHearing()).toBe(true);
    // The beats since then went out and did not come back.
    expect(sent.length).toBeGreaterThan(3);
    await vi.advanceTimersByTimeAsync(1);
    expect(hearing.isHearing()).toBe(false);
    hearing.takes(sent.at(-1) ?? "");
    expect(hearing.isHearing()).toBe(true);
    hearing.missed();
    expect(hearing.isHearing()).toBe(false);
    hearing.stop();
    const before = sent.length;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(sent).toHaveLength(before);
  });

  test("takes no announcement for a beat", () => {
    const hearing = startHeartbeat(async () => {});
    for (const payload of ['{"user": 1}', '{"all": true}', "", "beat"]) expect(hearing.takes(payload)).toBe(false);
    hearing.stop();
  });

  test("has one beat under way at a time, and goes on after one that could not be sent", async () => {
    let fail = (_: Error): void => {};
    let sent = 0;
    const hearing = startHeartbeat(() => {
      sent++;
      return new Promise((_, reject) => {
        fail = reject;
      });
    });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent).toBe(1);
    fail(new Error("the database is away"));
    await vi.advanceTimersByTimeAsync(300);
    expect(sent).toBe(2);
    hearing.stop();
  });
});

test("two services on one Postgres hear, each itself, and take no beat for a change", { timeout: 60_000 }, async () => {
  const { url, drop } = await createTestDatabase();
  const databases = [await openPostgres(url, { connections: 2 }), await openPostgres(url, { connections: 2 })];
  const messages: string[] = [];
  const hear = (payload: string) => void messages.push(payload);
  const listening = await Promise.all(databases.map((one) => one.listen(hear, () => {})));
  await vi.waitUntil(() => listening.every((one) => one.isHearing()), { timeout: 30_000 });
  expect(messages).toEqual([]);
  for (const one of listening) await one.stop();
  for (const one of databases) await one.close();
  await drop();
});
