import type { GroupRecord } from "../accounts/records.ts";
import type { MemberName, MembershipStore, Page, SubgroupStore } from "../accounts/stores.ts";
import { etagOf } from "../http/etag.ts";
import { GROUP_SCHEMA } from "./attributes.ts";
import { isSelected, type Selection, select, selectInside } from "./selection.ts";

const BATCH = 1_000;

/** What a group's text is made of. */
export interface GroupSource {
  readonly memberships: Pick<MembershipStore, "namesOf">;
  readonly subgroups: Pick<SubgroupStore, "ofGroup">;
  /** The absolute address of the SCIM service. */
  readonly base: string;
  readonly selection: Selection;
}

/**
 * The JSON of a group in pieces, members and all: a group of any size in the memory of one batch. Members that are not
 * selected are left out, not empty, so that a client that writes back what it read removes nobody.
 */
export async function* groupText(group: GroupRecord, source: GroupSource): AsyncGenerator<string> {
  const { base, selection } = source;
  const head = JSON.stringify(select(showScimGroup(group, base), selection));
  if (!isSelected(selection, "members")) {
    yield head;
    return;
  }
  yield `${head.slice(0, -1)},"members":[`;
  let separator = "";
  for await (const members of memberBatches(group.id, source)) {
    yield separator + members.map((one) => JSON.stringify(selectInside("members", one, selection))).join(",");
    separator = ",";
  }
  yield "]}";
}

/** The members of a group as SCIM shows them, users first, none of the batches empty. */
async function* memberBatches(groupId: number, source: GroupSource): AsyncGenerator<readonly object[]> {
  const { base, memberships, subgroups } = source;
  const users = batchesOf((page) => memberships.namesOf(groupId, page));
  for await (const batch of users) yield batch.map((one) => showMember(one, base, "User"));
  const groups = batchesOf((page) => subgroups.ofGroup(groupId, page));
  for await (const batch of groups) yield batch.map((one) => showMember(one, base, "Group"));
}

async function* batchesOf<Row extends { readonly id: number }>(
  fetch: (page: Page) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let after = 0; ; ) {
    const batch = await fetch({ limit: BATCH, after: { value: after, id: after } });
    if (batch.length > 0) yield batch;
    const last = batch.at(-1);
    if (last === undefined || batch.length < BATCH) return;
    after = last.id;
  }
}

function showScimGroup(group: GroupRecord, base: string): object {
  return {
    schemas: [GROUP_SCHEMA],
    id: String(group.id),
    ...(group.externalId === null ? {} : { externalId: group.externalId }),
    displayName: group.name,
    meta: {
      resourceType: "Group",
      created: group.createdAt,
      lastModified: group.updatedAt,
      location: `${base}/Groups/${group.id}`,
      version: etagOf(group),
    },
  };
}

function showMember({ id, name }: MemberName, base: string, type: "User" | "Group"): object {
  return { value: String(id), $ref: `${base}/${type}s/${id}`, display: name, type };
}
