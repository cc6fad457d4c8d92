import { fold } from "@berth/directory-domain";
import { requireSharingOwner } from "../accounts/constraints.ts";
import type { Deps } from "../accounts/deps.ts";
import type { Actor } from "../accounts/records.ts";
import type { Stores } from "../accounts/stores.ts";
import { DirectoryError } from "../errors/directory-error.ts";
import type { ConstraintLine, GroupLine, Line, MembershipLine, SubgroupLine, UserLine } from "./lines.ts";

/** What happens to a user or group of the file that exists already. */
export const EXISTING = ["refuse", "keep", "replace"] as const;
export type Existing = (typeof EXISTING)[number];

/** A line with its number. */
export type Numbered<L> = L & { readonly line: number };

export interface Imported {
  readonly users: number;
  readonly groups: number;
  readonly subgroups: number;
  readonly memberships: number;
  readonly constraints: number;
  /** Users and groups that existed and were kept as they are. */
  readonly kept: number;
}

/**
 * Imports the lines of an export in one transaction with one audit entry: all of them or none. A user or group that exists is refused,
 * or kept with its constraints, or replaced with its constraints; in any case it joins the groups that the file puts it in.
 * @param batches lines of one type each, in the order of an export.
 * @throws `conflict` or `invalid` with the number of the line.
 */
export function importDirectory(
  deps: Deps,
  actor: Actor,
  batches: AsyncIterable<readonly Numbered<Line>[]>,
  existing: Existing,
): Promise<Imported> {
  return deps.records.change(actor.userId, async (stores) => {
    const work = new DirectoryImport(stores, actor, existing);
    await stores.transfer.inBulk(async () => {
      for await (const batch of batches) await work.add(batch);
    });
    await stores.audit.note("directory.import", "users", { ...work.done, existing });
    return work.done;
  });
}

class DirectoryImport {
  readonly #stores: Stores;
  readonly #actor: Actor;
  readonly #existing: Existing;
  /** Ids of owners that are kept as they are. */
  readonly #kept = { users: new Set<number>(), groups: new Set<number>() };
  readonly #done = { users: 0, groups: 0, subgroups: 0, memberships: 0, constraints: 0 };

  constructor(stores: Stores, actor: Actor, existing: Existing) {
    this.#stores = stores;
    this.#actor = actor;
    this.#existing = existing;
  }

  get done(): Imported {
    return { ...this.#done, kept: this.#kept.users.size + this.#kept.groups.size };
  }

  async add(batch: readonly Numbered<Line>[]): Promise<void> {
    await this.#addUsers(ofType(batch, "user"));
    await this.#addGroups(ofType(batch, "group"));
    await this.#addSubgroups(ofType(batch, "subgroup"));
    await this.#addMemberships(ofType(batch, "membership"));
    await this.#addConstraints(ofType(batch, "constraint"));
  }

  async #addUsers(lines: readonly Numbered<UserLine>[]): Promise<void> {
    if (lines.length === 0) return;
    const { users, tokens, transfer } = this.#stores;
    const ids = await transfer.userIds(lines.map(({ login }) => login));
    const replaced: number[] = [];
    for (const line of lines) {
      const id = ids.get(fold(line.login));
      if (id === undefined) continue;
      if (this.#existing === "refuse") throw at(line, "conflict", `the user ${line.login} exists`);
      if (this.#existing === "keep") this.#kept.users.add(id);
      else {
        const { type: _type, line: _line, passHash, ...fields } = line;
        await users.change(id, passHash === null ? fields : { ...fields, passHash });
        // As with every other change of a password or of the state.
        if (passHash !== null || !fields.active)
          await tokens.removeAll(id, { except: id === this.#actor.userId ? this.#actor.tokenId : null });
        replaced.push(id);
      }
    }
    await transfer.removeConstraintsOf({ users: replaced, groups: [] });
    const fresh = lines.filter(({ login }) => !ids.has(fold(login)));
    const [taken] = await users.createMany(fresh);
    if (taken !== undefined)
      throw at(taken, "conflict", `the login ${taken.login} or the e-mail ${taken.email} is taken`);
    this.#done.users += fresh.length + replaced.length;
  }

  async #addGroups(lines: readonly Numbered<GroupLine>[]): Promise<void> {
    if (lines.length === 0) return;
    const { groups, transfer } = this.#stores;
    const ids = await transfer.groupIds(lines.map(({ name }) => name));
    const replaced: number[] = [];
    const fresh = new Map<string, Numbered<GroupLine>>();
    for (const line of lines) {
      const id = ids.get(fold(line.name));
      if (fresh.has(fold(line.name))) throw at(line, "conflict", `the group ${line.name} is in the file twice`);
      if (id === undefined) fresh.set(fold(line.name), line);
      else if (this.#existing === "refuse") throw at(line, "conflict", `the group ${line.name} exists`);
      else if (this.#existing === "keep") this.#kept.groups.add(id);
      else {
        const { name, externalId, fields } = line;
        await groups.change(id, { name, externalId, fields });
        replaced.push(id);
      }
    }
    await transfer.removeConstraintsOf({ users: [], groups: replaced });
    await transfer.addGroups([...fresh.values()].map(({ name, externalId, fields }) => ({ name, externalId, fields })));
    this.#done.groups += fresh.size + replaced.length;
  }

  async #addSubgroups(lines: readonly Numbered<SubgroupLine>[]): Promise<void> {
    if (lines.length === 0) return;
    const ids = await this.#stores.transfer.groupIds(lines.flatMap(({ group, subgroup }) => [group, subgroup]));
    for (const line of lines) {
      const [group, subgroup] = [known(ids, line, "group", line.group), known(ids, line, "group", line.subgroup)];
      await this.#stores.subgroups.put(group, subgroup);
    }
    this.#done.subgroups += lines.length;
  }

  async #addMemberships(lines: readonly Numbered<MembershipLine>[]): Promise<void> {
    if (lines.length === 0) return;
    const { transfer } = this.#stores;
    const users = await transfer.userIds(lines.map(({ user }) => user));
    const groups = await transfer.groupIds(lines.map(({ group }) => group));
    const rows = new Map<string, { userId: number; groupId: number; role: MembershipLine["role"] }>();
    for (const line of lines) {
      const userId = known(users, line, "user", line.user);
      const groupId = known(groups, line, "group", line.group);
      rows.set(`${userId} ${groupId}`, { userId, groupId, role: line.role });
    }
    await transfer.addMemberships([...rows.values()]);
    this.#done.memberships += lines.length;
  }

  async #addConstraints(lines: readonly Numbered<ConstraintLine>[]): Promise<void> {
    if (lines.length === 0) return;
    const { transfer } = this.#stores;
    const users = await transfer.userIds(lines.flatMap(({ owner }) => ("user" in owner ? [owner.user] : [])));
    const groups = await transfer.groupIds(lines.flatMap(({ owner }) => ("group" in owner ? [owner.group] : [])));
    const rows = lines.flatMap((line) => {
      const { owner } = line;
      const userId = "user" in owner ? known(users, line, "user", owner.user) : null;
      const groupId = "group" in owner ? known(groups, line, "group", owner.group) : null;
      if (userId !== null) requireSharingOwner({ type: "user" }, line.fields);
      if (this.#kept.users.has(userId ?? 0) || this.#kept.groups.has(groupId ?? 0)) return [];
      const { constraint, note, expiresAt } = line.fields;
      const { effect, kind, ...value } = constraint;
      return [{ userId, groupId, effect, kind, value, note, expiresAt }];
    });
    await transfer.addConstraints(rows);
    this.#done.constraints += rows.length;
  }
}

type Of<Type extends Line["type"]> = Numbered<Extract<Line, { readonly type: Type }>>;

function ofType<Type extends Line["type"]>(batch: readonly Numbered<Line>[], type: Type): readonly Of<Type>[] {
  return batch.filter((line): line is Of<Type> => line.type === type);
}

function known(ids: ReadonlyMap<string, number>, line: Numbered<object>, kind: "user" | "group", name: string): number {
  const id = ids.get(fold(name));
  if (id === undefined) throw at(line, "invalid", `there is no ${kind} ${name}`);
  return id;
}

function at({ line }: { readonly line: number }, kind: "conflict" | "invalid", detail: string): DirectoryError {
  return new DirectoryError(kind, `Line ${line}: ${detail}.`, { errors: [{ pointer: `/${line}`, detail }] });
}
