import type { GroupRecord } from "../accounts/records.ts";
import type { MemberName, MembershipStore } from "../accounts/stores.ts";
import { etagOf } from "../http/etag.ts";
import { GROUP_SCHEMA } from "./attributes.ts";
import { isSelected, type Selection, select, selectInside } from "./selection.ts";

const BATCH = 1_000;

/** What a group's text is made of. */
export interface GroupSource {
  readonly memberships: Pick<MembershipStore, "namesOf">;
  /** The absolute address of the SCIM service. */
  readonly base: string;
  readonly selection: Selection;
}

/**
 * The JSON of a group in pieces, members and all: a group of any size in the memory of one batch. Members that are not
 * selected are left out, not empty, so that a client that writes back what it read removes nobody.
 */
export async function* groupText(group: GroupRecord, source: GroupSource): AsyncGenerator<string> {
  const { base, memberships, selection } = source;
  const head = JSON.stringify(select(showScimGroup(group, base), selection));
  if (!isSelected(selection, "members")) {
    yield head;
    return;
  }
  yield `${head.slice(0, -1)},"members":[`;
  let separator = "";
  for (let after = 0; ; ) {
    const members = await memberships.namesOf(group.id, { limit: BATCH, after: { value: after, id: after } });
    const texts = members.map((one) => JSON.stringify(selectInside("members", showMember(one, base), selection)));
    if (texts.length > 0) yield separator + texts.join(",");
    separator = ",";
    const last = members.at(-1);
    if (last === undefined || members.length < BATCH) break;
    after = last.id;
  }
  yield "]}";
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

function showMember({ id, name }: MemberName, base: string): object {
  return { value: String(id), $ref: `${base}/Users/${id}`, display: name, type: "User" };
}
