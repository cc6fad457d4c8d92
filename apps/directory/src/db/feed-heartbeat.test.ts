import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createTestDatabase } from "../../../../tools/postgres.testing.ts";
import { FeedHeartbeat } from "./feed-heartbeat.ts";
import { openPostgres } from "./postgres.ts";

describe("the heartbeat", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("proves a live feed for a second by its own beats only", async () => {
    const sent: string[] = [];
    const heartbeat = new FeedHeartbeat(async (payload) => void sent.push(payload));
    const [first = ""] = sent;
    expect(heartbeat.isLive()).toBe(false);
    expect(heartbeat.receive(JSON.stringify({ ...JSON.parse(first), beat: randomUUID() }))).toBe(true);
    expect(heartbeat.isLive()).toBe(false);
    expect(heartbeat.receive(first)).toBe(true);
    expect(heartbeat.isLive()).toBe(true);
    await vi.advanceTimersByTimeAsync(999);
    expect(heartbeat.isLive()).toBe(true);
    // The beats since then went out and did not come back.
    expect(sent.length).toBeGreaterThan(3);
    await vi.advanceTimersByTimeAsync(1);
    expect(heartbeat.isLive()).toBe(false);
    heartbeat.receive(sent.at(-1) ?? "");
    expect(heartbeat.isLive()).toBe(true);
    heartbeat.reset();
    expect(heartbeat.isLive()).toBe(false);
    heartbeat.stop();
    const before = sent.length;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(sent).toHaveLength(before);
  });

  test("does not mistake an announcement for a beat", () => {
    const heartbeat = new FeedHeartbeat(async () => {});
    for (const payload of ['{"user": 1}', '{"all": true}', "", "beat"]) expect(heartbeat.receive(payload)).toBe(false);
    heartbeat.stop();
  });

  test("sends one beat at a time and continues after a failed one", async () => {
    let fail = (_: Error): void => {};
    let sent = 0;
    const heartbeat = new FeedHeartbeat(() => {
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
    heartbeat.stop();
  });
});

test("two services on one Postgres are live and publish no beat as a change", { timeout: 60_000 }, async () => {
  const { url, drop } = await createTestDatabase();
  const databases = [await openPostgres(url, { connections: 2 }), await openPostgres(url, { connections: 2 })];
  const messages: string[] = [];
  const hear = (payload: string) => void messages.push(payload);
  const listening = await Promise.all(databases.map((one) => one.listen(hear, () => {})));
  await vi.waitUntil(() => listening.every((one) => one.isLive()), { timeout: 30_000 });
  expect(messages).toEqual([]);
  for (const one of listening) await one.stop();
  for (const one of databases) await one.close();
  await drop();
});
