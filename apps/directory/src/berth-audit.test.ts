import { expect, test } from "vitest";
import { commandOn } from "./berth.testing.ts";
import { describeDirectory } from "./directory.testing.ts";

describeDirectory("berth audit", (directory) => {
  const berth = commandOn(directory);

  test("shows the audit by names", async () => {
    await berth(["users", "add", "ann", "--email", "ann@example.test"]);
    await berth(["users", "set", "ann", "--name", "Ann"]);
    const { out } = await berth(["audit", "--user", "ann"]);
    expect(out).toMatch(/^AT +BY +ACTION +TARGET +OUTCOME +DETAIL\n\S+ +admin +user\.update +user ann +done +.*name/);
    expect((await berth(["audit", "--by", "admin", "--action", "user.create"])).out).toContain("user ann");
  });

  test("shows what was refused, and what administrators did on engines", async () => {
    const { id, token } = await directory.addUser("ann");
    await directory.send("GET", "/api/users", { token });
    await directory.send("POST", "/api/login", { token: null, json: { login: "ann", pass: "not the password" } });
    const reporter = (await directory.send("POST", "/api/tokens", { json: { label: "host", scopes: ["report"] } }))
      .json;
    const entry = (n: number, at: string, fields: object) => ({
      reportId: `00000000-0000-4000-8000-00000000000${n}`,
      at,
      target: "container/web",
      ...fields,
    });
    const create = { action: "container.create", outcome: "refused", bypass: false };
    const entries = [
      entry(1, "2030-01-01T00:00:00.000Z", {
        ...create,
        actor: id,
        details: { via: "token", reason: "denied by policy: no" },
      }),
      entry(2, "2030-01-01T00:00:01.000Z", { ...create, actor: id, details: { count: 7 } }),
      entry(3, "2030-01-01T00:00:02.000Z", {
        ...{ action: "container.remove", outcome: "done", bypass: true },
        details: { login: "root", via: "administrators-socket", name: "shop" },
      }),
    ];
    await directory.send("POST", "/api/audit/reports", { token: reporter.token, json: { host: "h", entries } });
    const lines = async (...flags: string[]) =>
      (await berth(["audit", ...flags])).out
        .trimEnd()
        .split("\n")
        .slice(1)
        .map((line) => line.replace(/^\S+ +/, "").replaceAll(/ {2,}/g, " | "));
    const refused = await lines("--user", "ann", "--outcome", "refused");
    expect(refused.slice(0, 2)).toEqual([
      "ann | container.create | container/web | refused | 7 times",
      "ann | container.create | container/web | refused | denied by policy: no",
    ]);
    expect(refused.slice(2).sort()).toEqual([
      "ann | access.refuse | user ann | refused | Operators and administrators only.",
      "the directory | signin.fail | user ann | refused | from 127.0.0.1",
    ]);
    expect(await lines("--bypass")).toEqual(["root (socket) | container.remove | container shop | done | -"]);
  });
});
