import { createReadStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Deps } from "../accounts/deps.ts";
import type { Actor, UserRecord } from "../accounts/records.ts";
import type { Stores } from "../accounts/stores.ts";
import type { NamedConstraint } from "../accounts/transfer-store.ts";
import { FORMAT_VERSION } from "./lines.ts";

const BATCH = 1_000;

/**
 * Everything in the directory as of one instant, as JSON lines: users, groups, what is in groups, and constraints; no tokens. Spooled
 * first, so that a slow reader holds neither a connection nor old rows of the database.
 * @param options.passwords whether users carry their password's hash.
 */
export async function* exportDirectory(
  deps: Pick<Deps, "records" | "now">,
  actor: Actor,
  options: { readonly passwords: boolean },
): AsyncGenerator<string> {
  const folder = await mkdtemp(join(tmpdir(), "berth-export-"));
  try {
    const file = join(folder, "lines");
    const handle = await open(file, "wx", 0o600);
    await deps.records.snapshot((stores) =>
      pipeline(() => text(stores, { ...options, exportedAt: deps.now().toISOString() }), handle.createWriteStream()),
    );
    await deps.records.change(actor.userId, ({ audit }) => audit.note("directory.export", "users", options));
    for await (const chunk of createReadStream(file, { encoding: "utf8" })) yield chunk as string;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function* text(
  stores: Stores,
  header: { readonly passwords: boolean; readonly exportedAt: string },
): AsyncGenerator<string> {
  yield `${JSON.stringify({ type: "directory", version: FORMAT_VERSION, ...header })}\n`;
  let lines = 0;
  for await (const batch of records(stores, header.passwords)) {
    lines += batch.length;
    yield batch.map((line) => `${JSON.stringify(line)}\n`).join("");
  }
  yield `${JSON.stringify({ type: "end", lines })}\n`;
}

async function* records(stores: Stores, passwords: boolean): AsyncGenerator<readonly object[]> {
  const { users, groups, transfer } = stores;
  const byId = { sort: { by: "id", order: "ascending" } } as const;
  for await (const batch of batches({ id: 0 }, ({ id }) =>
    users.page(byId, { limit: BATCH, after: { value: id, id } }),
  )) {
    const hashes = passwords ? await transfer.passHashes(batch.map(({ id }) => id)) : undefined;
    yield batch.map((user) => userLine(user, hashes?.get(user.id)));
  }
  for await (const batch of batches({ id: 0 }, ({ id }) =>
    groups.page(byId, { limit: BATCH, after: { value: id, id } }),
  ))
    yield batch.map(({ name, externalId, fields }) => ({ type: "group", name, externalId, fields }));
  for await (const batch of batches({ groupId: 0, subgroupId: 0 }, (after) => transfer.subgroups(after, BATCH)))
    yield batch.map(({ group, subgroup }) => ({ type: "subgroup", group, subgroup }));
  for await (const batch of batches({ groupId: 0, userId: 0 }, (after) => transfer.memberships(after, BATCH)))
    yield batch.map(({ group, user, role }) => ({ type: "membership", group, user, role }));
  for await (const batch of batches({ id: 0 }, ({ id }) => transfer.constraints(id, BATCH)))
    yield batch.map(constraintLine);
}

/** Batches until one is not full; each begins after the last row of the one before. */
async function* batches<Position, Row extends Position>(
  first: Position,
  fetch: (after: Position) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let after: Position | undefined = first; after !== undefined; ) {
    const rows: readonly Row[] = await fetch(after);
    if (rows.length > 0) yield rows;
    after = rows.length < BATCH ? undefined : rows.at(-1);
  }
}

function userLine(user: UserRecord, passHash: string | undefined): object {
  const { id: _id, version: _version, createdAt: _created, updatedAt: _updated, ...fields } = user;
  return { type: "user", ...fields, ...(passHash === undefined ? {} : { passHash }) };
}

function constraintLine({ user, group, kind, effect, value, note, expiresAt }: NamedConstraint): object {
  return { type: "constraint", owner: user === null ? { group } : { user }, effect, kind, ...value, note, expiresAt };
}
