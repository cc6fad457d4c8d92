import { expect, test } from "vitest";
import { commandOn } from "./berth.testing.ts";
import { describeDirectory, PASS } from "./directory.testing.ts";

describeDirectory("the command", (directory) => {
  const berth = commandOn(directory);

  test("adds, shows, changes and removes users", async () => {
    const made = await berth(["users", "add", "ann", "--email", "ann@example.test", "--pass-stdin"], {
      stdin: `${PASS}\n`,
    });
    expect(made).toMatchObject({ code: 0, err: "" });
    expect(made.out).toMatch(/^ID {2}LOGIN {2}EMAIL/);
    expect(
      (await directory.send("POST", "/api/login", { token: null, json: { login: "ann", pass: PASS } })).status,
    ).toBe(200);
    expect((await berth(["users", "set", "ann", "--role", "operator", "--no-active"])).code).toBe(0);
    expect(JSON.parse((await berth(["users", "show", "ANN", "--json"])).out)).toMatchObject({
      role: "operator",
      active: false,
    });
    expect((await berth(["users", "list", "--q", "an"])).out.split("\n")).toHaveLength(3);
    expect((await berth(["users", "remove", "ann", "--yes"])).code).toBe(0);
    expect(await berth(["users", "show", "ann"])).toMatchObject({ code: 1, err: "berth: There is no user ann.\n" });
  });

  test("takes a second factor away, after a question", async () => {
    const { id } = await directory.addUser("ann", { pass: null });
    const fields = { secret: "sealed", createdAt: new Date().toISOString() };
    await directory.deps.records.change(null, async ({ secondFactors }) => {
      await secondFactors.begin(id, fields);
      await secondFactors.confirm(id, fields.createdAt);
    });
    const line = ["users", "reset-second-factor", "ann"];
    expect(await berth(line)).toMatchObject({ code: 1, err: expect.stringContaining("the password alone signs in") });
    expect(await directory.deps.records.secondFactors.find(id)).toBeDefined();
    expect((await berth([...line, "--yes"])).code).toBe(0);
    expect(await directory.deps.records.secondFactors.find(id)).toBeUndefined();
  });

  test("takes digits for a login, and an id only as --id", async () => {
    const bob = await directory.addUser("bob", { pass: null });
    const digits = await directory.addUser(String(bob.id), { pass: null });
    const shown = async (...line: readonly string[]) =>
      JSON.parse((await berth(["users", "show", ...line, "--json"])).out);
    expect(await shown(String(bob.id))).toMatchObject({ id: digits.id, login: String(bob.id) });
    expect(await shown("--id", String(bob.id))).toMatchObject({ id: bob.id, login: "bob" });
    const { out } = await berth(["tokens", "add", "t", "--user", String(bob.id), "--scope", "read", "--json"]);
    expect(JSON.parse(out).userId).toBe(digits.id);
    expect(await berth(["users", "show"])).toMatchObject({ code: 1, err: expect.stringContaining("by its login") });
    expect((await berth(["users", "show", "bobby"])).err).toContain("Did you mean bob?");
  });

  test("asks before it removes, and never removes its own user", async () => {
    await directory.addUser("ann", { pass: null });
    expect(await berth(["users", "remove", "ann"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("add --yes"),
    });
    expect(await berth(["users", "remove", "ann"], { answer: "n" })).toMatchObject({ code: 1 });
    expect((await berth(["users", "show", "ann"])).code).toBe(0);
    expect((await berth(["users", "remove", "ann"], { answer: "y" })).code).toBe(0);
    for (const line of [
      ["users", "remove", "admin", "--yes"],
      ["users", "set", "admin", "--no-active"],
      ["users", "set", "admin", "--role", "user"],
    ])
      expect(await berth(line)).toMatchObject({ code: 1, err: expect.stringContaining("another administrator must") });
    const [{ id }] = JSON.parse((await berth(["tokens", "list", "--json"])).out);
    expect((await berth(["tokens", "revoke", String(id), "--yes"])).err).toContain("is the one in use");
    expect((await berth(["whoami"])).code).toBe(0);
  });

  test("keeps groups, and explains decisions", async () => {
    await directory.addUser("ann", { pass: null });
    await berth(["groups", "add", "web"]);
    await berth(["groups", "join", "web", "ann", "--manager"]);
    expect((await berth(["groups", "members", "web"])).out).toMatch(/ann +manager/);
    expect((await berth(["constraints", "add", "--group", "web", "--ports", "8000-8099/tcp"])).code).toBe(0);
    const request = '{"ports":[{"hostPort":{"start":9000,"end":9000}}]}';
    const explained = await berth(["constraints", "explain", "ann", request]);
    expect(explained.out).toContain(
      "refuse: denied by policy: host-ports 9000/tcp is outside the limit set by constraint 1 of group web",
    );
    expect((await berth(["explain", "ann", "--", "run", "-p", "8001:80", "nginx"])).out).toBe("allow\n");
    expect((await berth(["explain", "ann", "--", "docker", "run", "-p", "9000:80", "nginx"])).out).toMatch(
      /^refuse: denied by policy: host-ports 9000\/tcp .*\n.*\nhost-ports {2}9000\/tcp {2}8000-8099\/tcp/,
    );
    expect((await berth(["groups", "leave", "web", "ann"])).err).toContain("add --yes");
    await berth(["groups", "leave", "web", "ann", "--yes"]);
    expect((await berth(["constraints", "explain", "ann", request])).out).toMatch(/^allow\n/);
    expect((await berth(["constraints", "remove", "1", "--yes"])).code).toBe(0);
    expect((await berth(["groups", "remove", "web", "--yes"])).code).toBe(0);
  });

  test("adds constraints by flags, lists them with those inherited, and warns of those that permit nothing", async () => {
    const { id } = await directory.addUser("ann", { pass: null });
    await directory.addGroup("web", [id]);
    const line =
      "constraints add --group web --ports 8000-8099 --images nginx* --mounts /srv:ro --quota memory=4g,cpu=1.5";
    expect(await berth(line.split(" "))).toMatchObject({
      code: 0,
      err: expect.stringContaining("a limit on mounts (3) permits none"),
    });
    expect((await berth(["constraints", "list", "--group", "web"])).out).toMatch(
      /ports 8000-8099.*\n.*images docker\.io\/library\/nginx\*.*\n.*mounts \/srv:ro.*\n.*quota memory=4g.*\n.*quota cpu=1\.5/,
    );
    await berth(["constraints", "add", "--user", "ann", "--effect", "deny", "--ports", "8080", "--note", "proxy"]);
    const inherited = await berth(["constraints", "list", "--user", "ann", "--inherited"]);
    expect(inherited.out).toMatch(/group web +limit +ports 8000-8099/);
    expect(inherited.out).toMatch(/ann +deny +ports 8080/);
    expect(inherited.out).toContain("Baseline: ports 1024-65535; interfaces *; images *; mounts none; privileges none");
    const empty = await berth(["constraints", "add", "--group", "web", "--ports", "9000"]);
    expect(empty.err).toMatch(/warning: constraints 1, 7 together leave nothing of host-ports/);
    const pointless = await berth(["constraints", "add", "--user", "ann", "--effect", "grant", "--ports", "2000"]);
    expect(pointless.err).toContain("constraint 8 changes nothing");
  });

  test.each([
    [["--ports", "0-1"], "--ports 0-1: must be a port or range"],
    [["--quota", "memory=lots"], "--quota memory=lots: must be bytes"],
    [["--quota", "disk=1"], "must be one of containers"],
    [["--mounts", "srv"], "--mounts srv: must be an absolute path"],
    [["{"], "Not JSON"],
    [["--images", "nginx", "--privileges", "root"], "--privileges root: must be"],
    [["--images", "nginx", "--shared-quota", "cpu=1"], "Only groups have shared quotas"],
    [[], "Say what the constraint is about"],
  ])("refuses a constraint of %j", async (flags, message) => {
    const { code, err } = await berth(["constraints", "add", "--user", "admin", ...flags]);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(message) });
    expect((await berth(["constraints", "list"])).err).toContain("--user or --group");
    expect((await berth(["constraints", "list", "--user", "admin"])).out.trim().split("\n")).toHaveLength(1);
  });

  test("explains each service of a compose file", async () => {
    await directory.addUser("ann", { pass: null });
    await berth(["constraints", "add", "--user", "ann", "--quota", "memory=1g"]);
    const stdin = `services:
  web: { image: nginx, ports: ["8080:80"], mem_limit: 256m }
  db: { image: "postgres:15", privileged: true, volumes: ["./data:/var/lib/postgresql/data"] }
`;
    const { out } = await berth(["explain", "ann", "--compose", "-"], { stdin });
    expect(out).toMatch(/^web: allow\ndb: refuse: denied by policy: /);
    expect(out).toContain("mounts /home/ann/data is not granted");
    expect(out).toContain("privileges privileged is not granted");
    expect(out).toContain("add --memory 1g or less");
    expect((await berth(["explain", "ann", "--compose", "-"], { stdin: "services: 3" })).err).toContain(
      "has no services",
    );
  });

  test("lets an ordinary user ask about itself alone", async () => {
    const { id, token } = await directory.addUser("ann");
    await directory.addGroup("web", [id]);
    const own = (...line: readonly string[]) => berth(line, { token });
    expect((await own("whoami")).out).toMatch(/ann +user +web +read, write, engine/);
    expect((await own("users", "show", "ann")).out).toContain("ann@example.test");
    expect((await own("explain", "ann", "--", "run", "--privileged", "nginx")).out).toContain("ask an administrator");
    expect((await own("explain", "--", "run", "nginx")).out).toBe("allow\n");
    expect((await own("constraints", "list", "--group", "web")).code).toBe(0);
    expect((await own("groups", "list")).out).toContain("web");
    expect((await own("tokens", "list", "--user", "ann")).code).toBe(0);
    expect((await own("users", "show", "admin")).err).toContain("You are ann: only operators and administrators");
    expect((await own("groups", "members", "ops")).err).toContain("You are in no group ops.");
  });

  test("makes tokens that work, lists those of others and revokes them", async () => {
    const ann = await directory.addUser("ann", { pass: null });
    const made = JSON.parse((await berth(["tokens", "add", "ci", "--user", "ann", "--scope", "read", "--json"])).out);
    expect((await directory.send("GET", "/api/me", { token: made.token })).json.id).toBe(ann.id);
    expect((await berth(["tokens", "list", "--user", "ann"])).out).toMatch(/ci +read/);
    expect((await berth(["tokens", "list"])).out).not.toContain("ci");
    await berth(["tokens", "revoke", String(made.id), "--yes"]);
    expect((await directory.send("GET", "/api/me", { token: made.token })).status).toBe(401);
  });

  test("makes a service account with its token", async () => {
    const line = "service engine --email ops@example.test --role operator --scope read --json";
    const { token } = JSON.parse((await berth(line.split(" "))).out);
    expect((await directory.send("GET", "/api/me", { token })).json).toMatchObject({
      login: "engine",
      scopes: ["read"],
    });
  });

  test("prints a link by which a user sets its password, once", async () => {
    await directory.addUser("ann");
    const { out, err } = await berth(["users", "link", "ann"]);
    expect(err).toMatch(/^Works once, until 20/);
    const link = new URL(out.trim());
    expect(link.origin + link.pathname).toBe("http://directory.test/api/set-pass");
    const token = link.hash.slice(1);
    expect((await directory.send("GET", "/api/set-pass", { token: null })).text).toContain("Set your password");
    expect((await directory.send("GET", "/api/me", { token })).status).toBe(403);
    const set = (pass: string) => directory.send("PUT", "/api/pass", { token, json: { pass } });
    expect((await set("short")).status).toBe(422);
    expect((await set("another horse 22")).status).toBe(204);
    expect((await set("a third horse 333")).status).toBe(401);
    const signIn = (pass: string) =>
      directory.send("POST", "/api/login", { token: null, json: { login: "ann", pass } });
    expect([(await signIn("another horse 22")).status, (await signIn(PASS)).status]).toEqual([200, 401]);
  });

  test("recovers an administrator on the host", async () => {
    await directory.addUser("ann", { role: "user", pass: null });
    for (const login of ["ann", "zoe"]) {
      const { token } = JSON.parse((await berth(["recover-admin", login, "--yes", "--json"])).out);
      expect((await directory.send("GET", "/api/me", { token })).json).toMatchObject({ login, role: "admin" });
    }
    expect((await berth(["recover-admin", "..", "--yes"])).code).not.toBe(0);
  });

  test("exports users and imports them", async () => {
    await directory.addUser("ann", { pass: null });
    const { out } = await berth(["export", "--format", "csv"]);
    expect(out).toMatch(/ann,ann@example\.test/);
    const stdin = (await berth(["export", "--passwords"])).out;
    expect(stdin).toMatch(/^\{"type":"directory","version":1/);
    expect((await berth(["import", "-"], { stdin })).err).toBe("berth: Line 2: the user admin exists.\n");
    expect((await berth(["users", "remove", "ann", "--yes"])).code).toBe(0);
    expect((await berth(["import", "-", "--existing", "keep"], { stdin })).out).toMatch(/^USERS .*\n1 /);
    expect((await berth(["users", "show", "ann"])).out).toContain("ann@example.test");
    const csv = "login,email\nzoe,zoe@example.test\n";
    expect((await berth(["import", "users.csv"], { stdin: csv })).code).toBe(0);
    expect((await berth(["users", "show", "zoe"])).code).toBe(0);
  });

  test("nests groups, sets fields, shares quotas, and shows baselines", async () => {
    await directory.addUser("ann", { pass: null });
    for (const group of ["web", "shop"]) expect((await berth(["groups", "add", group])).code).toBe(0);
    await berth(["groups", "join", "shop", "ann"]);
    expect((await berth(["groups", "nest", "web", "shop"])).code).toBe(0);
    expect((await berth(["groups", "nest", "shop", "web"])).err).toContain("would be part of itself");
    expect((await berth(["groups", "members", "web"])).out).toMatch(/group shop +subgroup/);
    const added = await berth(["constraints", "add", "--group", "web", "--shared-quota", "memory=16g,containers=50"]);
    expect(added.out).toMatch(/limit +shared-quota memory=16g\n.*shared-quota containers=50/);
    expect((await berth(["constraints", "list", "--user", "ann", "--inherited"])).out).toContain("group web");
    expect((await berth(["constraints", "add", "--user", "ann", "--shared-quota", "cpu=1"])).err).toContain(
      "Only groups",
    );
    const explained = await berth(["explain", "ann", "--", "run", "nginx"]);
    expect(explained.out).toContain(
      "shared-quota memory: unlimited needs a limit under the quota set by constraint 1 of group web",
    );
    expect((await berth(["groups", "unnest", "web", "shop"])).err).toContain("add --yes");
    expect((await berth(["groups", "unnest", "web", "shop", "--yes"])).code).toBe(0);
    expect((await berth(["explain", "ann", "--", "run", "nginx"])).out).toContain("allow");
    await berth(["users", "set", "ann", "--field", "costCentre=4711", "--field", "external=false"]);
    expect((await berth(["users", "show", "ann"])).out).toContain('{"external":false,"costCentre":4711}');
    await berth(["users", "set", "ann", "--field", "external="]);
    expect((await berth(["users", "show", "ann"])).out).toContain('{"costCentre":4711}');
    expect((await berth(["users", "set", "ann", "--field", "1=2"])).err).toContain("must be a name");
    const { out } = await berth(["baselines"]);
    expect(out).toMatch(/^closed\n {2}ports none\n.*\nsafe \(in force\)\n {2}ports 1024-65535\n.*\nopen\n/s);
    expect(out).toContain("quota containers=20");
  });

  test("makes service accounts, which are listed as such", async () => {
    const { token } = JSON.parse((await berth(["service", "ci", "--scope", "engine", "--json"])).out);
    expect((await directory.send("GET", "/api/me", { token })).json).toMatchObject({ login: "ci", kind: "service" });
    const { out } = await berth(["users", "list", "--kind", "service"]);
    expect(out).toContain("ci");
    expect(out).not.toContain("admin");
    expect((await berth(["users", "add", "bob"])).code).toBe(0);
  });
});
