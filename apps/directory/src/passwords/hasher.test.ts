import { expect, test } from "vitest";
import type { DirectoryError } from "../errors/directory-error.ts";
import { createHasher, OWASP_COST } from "./hasher.ts";

const CHEAP = { memory: 64, passes: 1, lanes: 1 };

test("limits parallel hashes, queues some, and rejects the rest immediately", async () => {
  const hasher = await createHasher({ cost: CHEAP, parallel: 2, waiting: 3 });
  const settled = await Promise.allSettled(Array.from({ length: 10 }, () => hasher.hash("correct horse 1")));
  expect(settled.map((one) => one.status)).toEqual([...Array(5).fill("fulfilled"), ...Array(5).fill("rejected")]);
  const refused = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  for (const reason of refused)
    expect(reason).toMatchObject({ kind: "busy", retryAfter: 1 } satisfies Partial<DirectoryError>);
  expect(await hasher.hash("correct horse 1")).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/);
});

test("a failed hash frees its slot", async () => {
  const hasher = await createHasher({ cost: CHEAP, parallel: 1, waiting: 5 });
  await expect(hasher.verify("no hash at all", "x")).rejects.toThrow("Decoding failed");
  const hash = await hasher.hash("correct horse 1");
  expect(await hasher.verify(hash, "correct horse 1")).toBe(true);
});

test("verify is false without a hash, and true for either Unicode form of the password", async () => {
  const hasher = await createHasher({ cost: OWASP_COST, parallel: 1, waiting: 5 });
  expect(await hasher.verify(null, "")).toBe(false);
  const hash = await hasher.hash("e\u0301".repeat(15));
  expect(await hasher.verify(hash, "\u00e9".repeat(15))).toBe(true);
  expect([hasher.needsRehash(hash), hasher.needsRehash("$2b$10$abc")]).toEqual([false, true]);
});
