import { run } from "@berth/cli";
import { expect, test } from "vitest";
import { describeOnEachDatabase, PASS } from "./directory.testing.ts";

describeOnEachDatabase("the command", (directory) => {
  async function berth(line: readonly string[], stdin = ""): Promise<{ code: number; out: string; err: string }> {
    let [out, err] = ["", ""];
    const code = await run(
      line,
      { url: "http://directory.test", token: async () => directory.admin },
      {
        fetch: async (input, init) => directory.app.fetch(new Request(input as URL, init)),
        write: (text) => {
          out += text;
        },
        complain: (text) => {
          err += text;
        },
        readStdin: async () => stdin,
      },
    );
    return { code, out, err };
  }

  test("makes, shows, changes and removes users", async () => {
    const made = await berth(["users", "add", "ann", "--email", "ann@example.test", "--pass-stdin"], `${PASS}\n`);
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
    expect((await berth(["users", "remove", "ann"])).code).toBe(0);
    expect(await berth(["users", "show", "ann"])).toMatchObject({ code: 1, err: "berth: There is no user ann.\n" });
  });

  test("keeps groups and constraints, and explains decisions", async () => {
    await directory.addUser("ann", { pass: null });
    await berth(["groups", "add", "web"]);
    await berth(["groups", "join", "web", "ann", "--manager"]);
    expect((await berth(["groups", "members", "web"])).out).toMatch(/ann +manager/);
    const limit = '{"kind":"host-ports","ports":[{"start":8000,"end":8099,"protocol":"tcp"}]}';
    expect((await berth(["constraints", "add", limit, "--group", "web"])).code).toBe(0);
    expect((await berth(["constraints", "list", "--group", "web"])).out).toContain("host-ports");
    const request = '{"ports":[{"hostPort":{"start":9000,"end":9000}}]}';
    const explained = await berth(["constraints", "explain", "ann", request]);
    expect(explained.out).toContain(
      "refuse: denied by policy: host-ports 9000/tcp is outside the limit set by constraint 1 of group web",
    );
    await berth(["groups", "leave", "web", "ann"]);
    expect((await berth(["constraints", "explain", "ann", request])).out).toMatch(/^allow\n/);
    expect((await berth(["constraints", "remove", "1"])).code).toBe(0);
    expect((await berth(["constraints", "list"])).err).toContain("--user or --group");
    expect((await berth(["constraints", "add", "{", "--group", "web"])).err).toContain("Not JSON");
  });

  test("makes tokens that work and revokes them", async () => {
    const made = JSON.parse((await berth(["tokens", "add", "ci", "--scope", "read", "--json"])).out);
    expect((await directory.send("GET", "/api/me", { token: made.token })).status).toBe(200);
    expect((await berth(["tokens", "list"])).out).toContain("ci");
    await berth(["tokens", "revoke", String(made.id)]);
    expect((await directory.send("GET", "/api/me", { token: made.token })).status).toBe(401);
  });

  test("what it does not understand ends with 2, what is refused with 1, and help needs no directory", async () => {
    for (const line of [
      [],
      ["nonsense"],
      ["users", "add"],
      ["users", "add", "x"],
      ["users", "set", "x", "--role", "boss"],
      ["users", "list", "--nope"],
    ])
      expect([line, (await berth(line)).code]).toEqual([line, 2]);
    expect(await berth(["users", "add", "a b", "--email", "x@y"])).toMatchObject({ code: 1, out: "" });
    expect((await berth(["users", "--help"])).out).toContain("berth users add <login>");
    expect((await berth(["--get-yargs-completions", "berth", "users", ""])).out).toContain("remove");
    expect((await berth(["completion"])).out).toContain("complete");
  });
});
