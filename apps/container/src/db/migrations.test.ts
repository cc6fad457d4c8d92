import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, openDatabase } from "@berth/service-kit";
import { expect, it } from "vitest";
import { createTestDatabase } from "../../../../tools/postgres.testing.ts";
import { idOf, someContainer } from "../containers/records/container.testing.ts";
import { createContainerStore } from "./container-store.ts";
import { MIGRATIONS_FOLDER } from "./database.ts";
import { createNetworkStore } from "./network-store.ts";
import { openPostgres } from "./postgres.ts";
import * as schema from "./schema.ts";
import { createVolumeStore } from "./volume-store.ts";

/** The folder of the first `count` migrations, as an earlier version had it. */
async function earlierMigrations(count: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "berth-migrations-"));
  await cp(MIGRATIONS_FOLDER, folder, { recursive: true });
  const path = join(folder, "meta/_journal.json");
  const journal = JSON.parse(await readFile(path, "utf8")) as { readonly entries: readonly unknown[] };
  await writeFile(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }));
  return folder;
}

it("names per owner come to rows from before: all stay, and a name is free for other owners", async () => {
  const test = await createTestDatabase();
  const migrationsFolder = await earlierMigrations(4);
  try {
    const before = await openDatabase({
      url: test.url,
      application: "berth-test",
      connections: 1,
      schema,
      migrations: { migrationsFolder },
    });
    await before.close();
    const sql = createClient(test.url, { max: 1 });
    const { id, image, imageId, layers, createdAt, config, hostConfig, endpoints, ports, mounts, state } =
      someContainer();
    const json = (value: unknown) => sql.json(value as Parameters<typeof sql.json>[0]);
    await sql`insert into containers
      (id, name, owner, image, image_id, layers, created_at, config, host_config, endpoints, ports, mounts, state)
      values (${id}, 'web', '1', ${image}, ${imageId}, ${layers}, ${createdAt}, ${json(config)}, ${json(hostConfig)},
        ${json(endpoints)}, ${json(ports)}, ${json(mounts)}, ${json(state)})`;
    const network = {
      id: "n1",
      name: "back",
      driver: "bridge",
      createdAt,
      internal: false,
      attachable: false,
      enableIPv6: false,
      options: {},
      labels: {},
      ipam: { driver: "default", options: null, config: [{ Subnet: "172.17.0.0/16" }] },
    };
    await sql`insert into networks (id, name, network) values ('n1', 'back', ${json(network)})`;
    for (const [name, owner] of [
      ["data", "1"],
      ["shared", null],
    ] as const)
      await sql`insert into volumes (name, created_at, labels, options, anonymous, owner)
        values (${name}, ${createdAt}, ${json({})}, ${json({})}, false, ${owner})`;
    await sql.end();

    const { db, close } = await openPostgres(test.url);
    const containers = createContainerStore(db);
    expect((await containers.load()).map(({ container }) => [container.name, container.owner])).toEqual([["web", "1"]]);
    await containers.insert(someContainer({ id: idOf("b"), name: "web", owner: "2" }), { kind: "create" });
    await expect(
      containers.insert(someContainer({ id: idOf("c"), name: "web", owner: "1" }), { kind: "create" }),
    ).rejects.toMatchObject({ kind: "conflict" });
    const volumes = createVolumeStore(db);
    const rows = (await volumes.load()).map(({ name, owner, folder }) => [name, owner, folder]);
    // The folders on the disk keep their names.
    expect(rows.sort()).toEqual([
      ["data", "1", "data"],
      ["shared", undefined, "shared"],
    ]);
    const row = { name: "data", folder: "2@data", createdAt, labels: {}, options: {}, anonymous: false };
    await volumes.insert({ ...row, owner: "2" });
    const networks = await createNetworkStore(db).load();
    expect(JSON.stringify(networks)).toContain('"back"');
    await close();
  } finally {
    await rm(migrationsFolder, { recursive: true });
    await test.drop();
  }
});
