// OpenLDAP's server with the same users and groups, set up for the one question: in which groups is a user?
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Client } from "ldapts";
import { endOf } from "../processes.mjs";

const BASE = "dc=bench";
const GROUPS = `ou=groups,${BASE}`;
function dnOf(login) {
  return `uid=${login},ou=users,${BASE}`;
}

// All in memory, nothing synced, nothing logged, an index for what is asked.
function settings(folder) {
  return `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
loglevel 0
sizelimit unlimited
tool-threads 2
database mdb
suffix ${BASE}
directory ${join(folder, "db")}
maxsize ${32 * 2 ** 30}
dbnosync
index objectClass,uid,member eq
`;
}

/**
 * Loads slapd with the users, groups and memberships of the directory behind `sql`, each group with its constraints as
 * values of `description`, and starts it.
 * @returns its process; `groupsOf(login, attributes)`, which asks through one of `connections`; and what ends it.
 */
export async function startSlapd({ folder, port, sql, connections }) {
  mkdirSync(join(folder, "db"), { recursive: true });
  const file = join(folder, "slapd.conf");
  writeFileSync(file, settings(folder));
  const adding = spawn("slapadd", ["-q", "-f", file], { stdio: ["pipe", "inherit", "inherit"] });
  const added = once(adding, "exit");
  for await (const entries of ldif(sql)) if (!adding.stdin.write(entries)) await once(adding.stdin, "drain");
  adding.stdin.end();
  const [status] = await added;
  if (status !== 0) throw new Error(`slapadd ended with ${status}`);

  const url = `ldap://127.0.0.1:${port}`;
  const server = spawn("slapd", ["-d", "0", "-f", file, "-h", url], { stdio: "inherit" });
  await answers(url);
  const clients = Array.from({ length: connections }, () => new Client({ url }));
  return {
    pid: server.pid,
    async groupsOf(login, attributes, worker) {
      const filter = `(member=${dnOf(login)})`;
      const { searchEntries } = await clients[worker].search(GROUPS, { scope: "one", filter, attributes });
      if (searchEntries.length === 0) throw new Error(`slapd knows no group of ${login}`);
      return searchEntries;
    },
    async stop() {
      for (const client of clients) await client.unbind();
      await endOf(server);
    },
  };
}

async function* ldif(sql) {
  yield `dn: ${BASE}\nobjectClass: organization\nobjectClass: dcObject\ndc: bench\no: bench\n\n`;
  for (const unit of ["groups", "users"])
    yield `dn: ou=${unit},${BASE}\nobjectClass: organizationalUnit\nou: ${unit}\n\n`;
  const users = sql`select login, email from directory.users where login_key like 'user%'`;
  for await (const rows of users.cursor(5_000))
    yield rows
      .map(
        ({ login, email }) =>
          `dn: ${dnOf(login)}\nobjectClass: inetOrgPerson\nuid: ${login}\ncn: ${login}\nsn: ${login}\nmail: ${email}\n\n`,
      )
      .join("");
  const groups = sql`
    select g.name,
      (select array_agg(u.login) from directory.memberships m join directory.users u on u.id = m.user_id
        where m.group_id = g.id) as members,
      (select array_agg(json_build_array(c.id, c.effect, c.kind, c.value)::text) from directory.constraints c
        where c.group_id = g.id) as constraints
    from directory.groups g where g.name_key like 'group%'`;
  for await (const rows of groups.cursor(500))
    yield rows
      .map(({ name, members, constraints }) =>
        [
          `dn: cn=${name},${GROUPS}\nobjectClass: groupOfNames\ncn: ${name}`,
          ...members.map((login) => `member: ${dnOf(login)}`),
          ...constraints.map((text) => `description: ${text}`),
          "\n",
        ].join("\n"),
      )
      .join("");
}

async function answers(url) {
  for (let tries = 0; ; tries++) {
    try {
      execFileSync("ldapwhoami", ["-x", "-H", url], { stdio: "ignore" });
      return;
    } catch (cause) {
      if (tries === 100) throw cause;
      await setTimeout(100);
    }
  }
}
