// What a page costs at the start of a list and at its end.
import { median } from "./rates.mjs";

const TIMES = 25;
const LISTS = [
  ["users by id", "/api/users?sort=id"],
  ["users by login", "/api/users?sort=login"],
  ["users by e-mail", "/api/users?sort=email"],
  ["users searched, many", "/api/users?q=user1"],
  ["users searched, few", "/api/users?q=user77"],
  ["groups by name", "/api/groups?sort=name"],
  ["groups searched", "/api/groups?q=group1"],
  ["members of a group", "/api/groups/CROWD/members"],
  ["constraints of a group", "/api/groups/RULES/constraints"],
  ["audit", "/api/audit"],
];

/** Prints each list's pages, first against last, asked in turn. */
export async function reportLists({ get, sql, users }) {
  const idOf = async (name) => (await sql`select id from directory.groups where name_key = ${name}`)[0].id;
  const [crowd, rules] = [await idOf("crowd"), await idOf("rules")];
  console.log(
    "\nlists                        pages of 50: first       last   of 200: first tenth  last tenth     slowest",
  );
  for (const [name, path] of LISTS) {
    const list = path.replace("CROWD", crowd).replace("RULES", rules);
    const { last, times } = await walk(get, withLimit(list, 200));
    const [first, end] = await inTurn(get, withLimit(list, 50), withLimit(last, 50));
    const tenth = Math.ceil(times.length / 10);
    const tenths = [median(times.slice(0, tenth)), median(times.slice(-tenth))];
    const columns = [first, end, ...tenths, Math.max(...times)].map(milliseconds).join("");
    console.log(`${name.padEnd(27)} ${columns} of ${times.length}`);
  }
  // SCIM pages by index and counts what there is (RFC 7644, 3.4.2.4), which no index answers at once.
  const scim = (startIndex) => `/scim/v2/Users?count=50&startIndex=${startIndex}`;
  const [first, end] = await inTurn(get, scim(1), scim(users - 49));
  console.log(`${"SCIM users".padEnd(27)} ${milliseconds(first)}${milliseconds(end)}`);
}

/** Follows a list to its end, as no cursor comes from elsewhere than from the page before. */
async function walk(get, list) {
  const times = [];
  let last = list;
  for (let next = list; next !== undefined; ) {
    last = next;
    const before = performance.now();
    ({ next } = await get(next));
    times.push(performance.now() - before);
  }
  return { last, times };
}

async function inTurn(get, ...paths) {
  const times = paths.map(() => []);
  for (let n = 0; n < TIMES; n++)
    for (const [which, path] of paths.entries()) {
      const before = performance.now();
      await get(path);
      times[which].push(performance.now() - before);
    }
  return times.map(median);
}

/** A cursor is good for pages of any size. */
function withLimit(path, limit) {
  const url = new URL(path, "http://directory");
  url.searchParams.set("limit", String(limit));
  return url.pathname + url.search;
}

function milliseconds(time) {
  return `${time.toFixed(1).padStart(9)} ms`;
}
