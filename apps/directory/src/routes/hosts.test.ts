import { expect, test } from "vitest";
import { REPORT_SCOPE } from "../accounts/records.ts";
import { describeDirectory } from "../directory.testing.ts";

describeDirectory("hosts", (directory) => {
  const at = "2030-01-31T08:00:00.000Z";
  const container = { image: "nginx", state: "running", createdAt: at, startedAt: at };
  const port = { hostIp: "0.0.0.0", protocol: "tcp", since: at };
  const held = { ...port, containerPort: 80, reservedFor: null };
  const reserved = { ...port, containerPort: null, containerId: null, containerName: null, ownerId: null };

  /** A host with things of ann, of bob and of the host's administrators. */
  async function reported() {
    const ann = await directory.addUser("ann");
    const bob = await directory.addUser("bob");
    const group = await directory.addGroup("web", [ann.id]);
    const operator = await directory.addUser("operator", { role: "operator" });
    const json = { label: "host", scopes: [REPORT_SCOPE], userId: operator.id };
    const { token } = (await directory.send("POST", "/api/tokens", { json })).json;
    const report = {
      engineVersion: "0.1.0",
      containers: [
        { ...container, id: "a", name: "web", ownerId: ann.id },
        { ...container, id: "b", name: "db", ownerId: bob.id },
        { ...container, id: "c", name: "root", ownerId: null },
      ],
      heldPorts: [
        { ...held, start: 80, end: 80, containerId: "a", containerName: "web", ownerId: ann.id },
        { ...held, start: 81, end: 81, containerId: "b", containerName: "db", ownerId: bob.id },
        { ...reserved, start: 90, end: 99, reservedFor: { type: "group", id: group, name: "web" } },
        { ...reserved, start: 100, end: 100, reservedFor: { type: "user", id: bob.id, name: "bob" } },
      ],
      processPorts: [{ hostIp: "0.0.0.0", port: 22, protocol: "tcp", pid: 4711, command: "sshd" }],
      refusedSince: at,
      refusedUsers: [
        { userId: ann.id, times: 2, at, action: "container.create", reason: "denied by policy" },
        { userId: null, times: 9, at, action: "engine.authenticate", reason: "no token" },
      ],
      usage: [
        { ownerId: ann.id, used: { containers: 1, memory: 100 } },
        { ownerId: bob.id, used: { containers: 1 } },
        { ownerId: 999, used: { containers: 1 } },
      ],
    };
    const put = (host: string, body: unknown = report) =>
      directory.send("PUT", `/api/hosts/${host}/report`, { token, json: body });
    expect((await put("build1")).status).toBe(204);
    return { ann, bob, operator, report, put };
  }

  test("shows readers everything, and users what is theirs", async () => {
    const { ann } = await reported();
    const all = (await directory.send("GET", "/api/hosts")).json;
    expect(all).toMatchObject([{ name: "build1", engineVersion: "0.1.0" }]);
    expect(all[0].containers.map((one: { ownedBy: unknown }) => one.ownedBy)).toEqual([
      { id: ann.id, login: "ann" },
      expect.objectContaining({ login: "bob" }),
      null,
    ]);
    const [own] = (await directory.send("GET", "/api/hosts", { token: ann.token })).json;
    expect(own.containers.map(({ name }: { name: string }) => name)).toEqual(["web"]);
    expect(own.heldPorts.map(({ start }: { start: number }) => start)).toEqual([80, 90]);
  });

  test("tells administrators alone which programs have ports, and users what they were refused", async () => {
    const { ann, operator } = await reported();
    const [all] = (await directory.send("GET", "/api/hosts")).json;
    const [read] = (await directory.send("GET", "/api/hosts", { token: operator.token })).json;
    const [own] = (await directory.send("GET", "/api/hosts", { token: ann.token })).json;
    const port = { hostIp: "0.0.0.0", port: 22, protocol: "tcp" };
    expect(all.processPorts).toEqual([{ ...port, pid: 4711, command: "sshd" }]);
    for (const seen of [read, own]) expect(seen.processPorts).toEqual([{ ...port, pid: null, command: null }]);
    const refused = { times: 2, at, action: "container.create", reason: "denied by policy" };
    expect(own.refusedUsers).toEqual([{ ...refused, user: { id: ann.id, login: "ann" } }]);
    expect([read.refusedSince, read.refusedUsers.length]).toEqual([at, 2]);
  });

  test("takes the reports of services that tell neither programs nor refusals", async () => {
    const { put, report } = await reported();
    const { processPorts: _, refusedSince: __, refusedUsers: ___, ...old } = report;
    expect((await put("build1", old)).status).toBe(204);
    expect((await directory.send("GET", "/api/hosts")).json).toMatchObject([
      { processPorts: [], refusedSince: null, refusedUsers: [] },
    ]);
  });

  test("sums what users use over all hosts, with their quotas", async () => {
    const { ann, put } = await reported();
    await put("build2");
    await directory.send("POST", `/api/users/${ann.id}/constraints`, {
      json: { kind: "quota", resource: "memory", max: 1_000 },
    });
    const own = (await directory.send("GET", "/api/usage", { token: ann.token })).json;
    expect(own).toEqual([
      {
        user: { id: ann.id, login: "ann" },
        used: { containers: 2, memory: 200 },
        quotas: { containers: 20, networks: 10, memory: 1_000 },
      },
    ]);
    // The user 999 is gone.
    expect((await directory.send("GET", "/api/usage")).json).toHaveLength(2);
  });

  test("keeps the last report of each host, and refuses what is none", async () => {
    const { put, report } = await reported();
    expect((await put("build1", { ...report, containers: [] })).status).toBe(204);
    expect((await directory.send("GET", "/api/hosts")).json).toMatchObject([{ name: "build1", containers: [] }]);
    expect((await put("build1", { ...report, containers: [{ name: "web" }] })).status).toBe(422);
    expect((await put(encodeURIComponent("a/b"))).status).toBe(400);
    expect((await put("build1", { ...report, password: "x" })).status).toBe(422);
  });
});
