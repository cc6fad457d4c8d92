import type { Constraint } from "@berth/directory-domain";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createContainerStore } from "../../db/container-store.ts";
import { openTestDatabase } from "../../db/database.testing.ts";
import type { OpenDatabase } from "../../db/database.ts";
import { containers as table } from "../../db/schema.ts";
import { user } from "../../engine/user.testing.ts";
import { someService } from "../containers-service.testing.ts";
import type { ContainerStore } from "../records/store.ts";

const MOST = { containers: 3, memory: 100 } as const;
const MEBIBYTE = 2 ** 20;
const QUOTAS: readonly Constraint[] = [
  { kind: "quota", effect: "limit", resource: "containers", max: MOST.containers },
  { kind: "quota", effect: "limit", resource: "memory", max: MOST.memory * MEBIBYTE },
];
const USERS = [user(1, ...QUOTAS), user(2, ...QUOTAS)];

/** Concurrent requests of users: `of` selects one of the two containers that each user starts with. */
const request = fc.record({
  what: fc.constantFrom("create", "update", "start", "remove"),
  who: fc.constantFrom(...USERS),
  of: fc.nat({ max: 1 }),
  memory: fc.integer({ min: 6, max: 60 }),
});

describe("quotas", () => {
  let database: OpenDatabase;

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  /** The resources of each owner according to the rows. */
  const rows = async (): Promise<readonly { readonly containers: number; readonly memory: number }[]> => {
    const owned = database.db
      .select({
        containers: sql<number>`count(*)::int`,
        memory: sql<number>`sum((${table.hostConfig}->>'Memory')::bigint)::float8`,
      })
      .from(table)
      .groupBy(table.owner);
    return await owned;
  };

  const within = ({ containers, memory }: Awaited<ReturnType<typeof rows>>[number]): boolean =>
    containers <= MOST.containers && memory <= MOST.memory * MEBIBYTE;

  /** A store whose writes complete in an order that the scheduler picks; records the rows after each write. */
  const watched = (scheduler: fc.Scheduler) => {
    const store = createContainerStore(database.db);
    const seen: Awaited<ReturnType<typeof rows>>[number][] = [];
    let scheduled = false;
    const write =
      <Args extends readonly unknown[]>(work: (...args: Args) => Promise<void>) =>
      async (...args: Args): Promise<void> => {
        if (scheduled) await scheduler.schedule(Promise.resolve());
        await work(...args);
        seen.push(...(await rows()));
      };
    const slow: ContainerStore = {
      load: store.load,
      insert: write(store.insert),
      save: write(store.save),
      delete: write(store.delete),
    };
    return {
      slow,
      seen,
      schedule: (on: "on" | "off") => {
        scheduled = on === "on";
      },
    };
  };

  it("hold for every interleaving of concurrent requests", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(request, { minLength: 6, maxLength: 14 }), async (scheduler, asked) => {
        await database.db.delete(table);
        const { slow, seen, schedule } = watched(scheduler);
        const service = await someService({ store: slow });
        try {
          const { containers } = service;
          const sized = (name: string, memory: number) =>
            service.request(name, ["sleep", "9999"], { Memory: memory * MEBIBYTE });
          const first = new Map(
            await Promise.all(
              USERS.map(async (who) => {
                const made = ["a", "b"].map((name) => containers.create(who, sized(`${name}${who.id}`, 20)));
                return [who, (await Promise.all(made)).map(({ id }) => id)] as const;
              }),
            ),
          );
          schedule("on");
          const calls = asked.map(async ({ what, who, of, memory }, at) => {
            const id = first.get(who)?.[of] ?? "";
            if (what === "create") return containers.create(who, sized(`more${at}`, memory));
            if (what === "update") return containers.update(who, id, { Memory: memory * MEBIBYTE });
            if (what === "start") return containers.start(who, id);
            return containers.remove(who, id, { force: true, volumes: false });
          });
          await scheduler.waitFor(Promise.allSettled(calls));
          expect(seen.filter((held) => !within(held))).toEqual([]);
          // Containers beyond the first have a row exactly if their request succeeded.
          const named = asked.flatMap(({ what }, at) => (what === "create" ? [`more${at}`] : []));
          const made = (await Promise.allSettled(calls)).filter(
            ({ status }, at) => status === "fulfilled" && asked[at]?.what === "create",
          );
          const kept = (await slow.load()).filter(({ container }) => named.includes(container.name));
          expect(kept).toHaveLength(made.length);
        } finally {
          schedule("off");
          await scheduler.waitIdle();
          await service.stopAll();
          await service.end();
        }
      }),
      { numRuns: 8 },
    );
  });

  it("let a user have all that they permit, and no more", async () => {
    await database.db.delete(table);
    const service = await someService({ store: createContainerStore(database.db) });
    try {
      const [ann] = USERS;
      if (ann === undefined) return;
      const made = await Promise.allSettled(
        Array.from({ length: 20 }, (_, at) =>
          service.containers.create(ann, service.request(`c${at}`, ["true"], { Memory: 10 * MEBIBYTE })),
        ),
      );
      expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(MOST.containers);
      expect(await rows()).toEqual([{ containers: 3, memory: 30 * MEBIBYTE }]);
    } finally {
      await service.end();
    }
  });
});
