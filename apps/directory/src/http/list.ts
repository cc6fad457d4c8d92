import type { Page } from "../accounts/stores.ts";
import { arrayText, jsonAnswer, streamAnswer } from "./answer.ts";
import type { Cursors, Position } from "./cursor.ts";
import { type Call, JSON_TYPE } from "./endpoint.ts";

const DEFAULT_LIMIT = 50;
const BATCH = 1_000;

/** How to fetch a page of rows, locate a row in the list's order, and present it. */
export interface Listing<Row> {
  readonly fetch: (page: Page) => Promise<readonly Row[]>;
  readonly position: (row: Row) => Position;
  readonly show: (row: Row) => unknown;
  readonly count?: () => Promise<number>;
}

export interface ListCall extends Pick<Call<unknown, unknown>, "url" | "onFault" | "cutOff"> {
  readonly actor: { readonly userId: number };
  readonly query: {
    readonly limit?: number | undefined;
    readonly cursor?: string | undefined;
    readonly count?: boolean | undefined;
  };
}

/**
 * Answers with an array: the whole list, streamed, or with `limit` or `cursor` one page and a `Link` to the next
 * (RFC 8288). `count=true` adds `Total-Count`.
 */
export async function listAnswer<Row>(call: ListCall, cursors: Cursors, listing: Listing<Row>): Promise<Response> {
  const { limit, cursor } = call.query;
  if (limit === undefined && cursor === undefined) {
    const answer = await streamAnswer(call, arrayText(batchesOf(listing)), JSON_TYPE);
    if (call.query.count === true) answer.headers.set("total-count", String(await listing.count?.()));
    return answer;
  }
  const name = listName(call);
  const size = limit ?? DEFAULT_LIMIT;
  const after = cursor === undefined ? undefined : cursors.read(name, cursor);
  const rows = await listing.fetch({ limit: size + 1, ...(after === undefined ? {} : { after }) });
  const shown = rows.slice(0, size);
  const headers = new Headers();
  const last = shown.at(-1);
  if (rows.length > size && last !== undefined) {
    const next = new URLSearchParams(call.url.searchParams);
    next.set("cursor", cursors.write(name, listing.position(last)));
    headers.set("link", `<${call.url.pathname}?${next}>; rel="next"`);
  }
  if (call.query.count === true) headers.set("total-count", String(await listing.count?.()));
  return jsonAnswer(shown.map(listing.show), { headers });
}

async function* batchesOf<Row>(listing: Listing<Row>): AsyncGenerator<readonly unknown[]> {
  for (let rows = await listing.fetch({ limit: BATCH }); ; ) {
    yield rows.map(listing.show);
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    rows = await listing.fetch({ limit: BATCH, after: listing.position(last) });
  }
}

/** What a cursor is signed for: actor, path, filters and sort, but not the limit. */
function listName(call: ListCall): string {
  const rest = new URLSearchParams(call.url.searchParams);
  for (const name of ["limit", "cursor", "count"]) rest.delete(name);
  rest.sort();
  return `${call.actor.userId} ${call.url.pathname}?${rest}`;
}
