import type { Constraint } from "@berth/directory-domain";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ADMINISTRATOR, someService } from "../containers/containers-service.testing.ts";
import type { Actor, SharersOf } from "../engine/actor.ts";
import { EngineError } from "../engine/errors.ts";
import { user } from "../engine/user.testing.ts";

const MEBIBYTE = 2 ** 20;
const QUOTA: Constraint = { kind: "shared-quota", effect: "limit", resource: "memory", max: 100 * MEBIBYTE };
/** Users 1 and 2 are in the group; 3 is not. */
const GROUP: SharersOf = async (_, owners) => new Set(owners.filter((owner) => ["1", "2"].includes(owner)));

let service: Awaited<ReturnType<typeof someService>>;
beforeEach(async () => {
  service = await someService();
});
afterEach(() => service.end());

function member(id: number, sharersOf: SharersOf = GROUP): Actor {
  return { ...user(id, QUOTA), sharersOf } as Actor;
}

function create(actor: Actor, name: string, mebibytes: number) {
  const hostConfig = mebibytes === 0 ? {} : { Memory: mebibytes * MEBIBYTE };
  return service.containers.create(actor, service.request(name, ["true"], hostConfig));
}

it("counts the containers of all members, and nobody else's", async () => {
  await create(user(3), "other", 500);
  await create(ADMINISTRATOR, "host", 500);
  const { id } = await create(member(1), "web", 60);
  await expect(create(member(2), "db", 50)).rejects.toThrow(
    "shared-quota memory: 50 MiB more than the 60 MiB that all members have in use is over the quota set by constraint 1 of group",
  );
  await expect(create(member(2), "db", 0)).rejects.toThrow("needs a limit under the quota set by constraint 1");
  await create(member(2), "db", 40);
  await expect(service.containers.update(member(1), id, { Memory: 61 * MEBIBYTE })).rejects.toThrow("over the quota");
  await service.containers.remove(member(1), id, { force: true, volumes: false });
  await create(member(2), "more", 60);
});

it("lets concurrent creates of all members have what it permits, and no more", async () => {
  const made = await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) => create(member(1 + (at % 2)), `c${at}`, 10)),
  );
  expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
});

it("refuses where nobody can tell who shares it", async () => {
  const away: SharersOf = async () => {
    throw new EngineError("unavailable", "the directory cannot be reached");
  };
  await expect(create(member(1, away), "web", 10)).rejects.toMatchObject({ kind: "unavailable" });
  await expect(create(user(1, QUOTA), "web", 10)).rejects.toThrow(
    "cannot be counted for the quota set by constraint 1",
  );
});
