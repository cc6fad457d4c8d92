import { beforeEach, describe, expect, it } from "vitest";
import type { Actor } from "../../engine/actor.ts";
import { user } from "../../engine/user.testing.ts";
import { verdictOn } from "../lifecycle/reconcile.ts";
import { idOf, someContainer } from "./container.testing.ts";
import { Registry } from "./registry.ts";
import { CREATED, started } from "./state.ts";
import type { ContainerStore, Intent } from "./store.ts";

const ADMINISTRATOR = { kind: "administrator", id: undefined, login: "root" } as const;
const ANN: Actor = user(1);

class Rows implements ContainerStore {
  readonly rows = new Map<string, { container: ReturnType<typeof someContainer>; intent: Intent | undefined }>();
  fails = false;
  load = async () => [...this.rows.values()];
  insert = (container: ReturnType<typeof someContainer>, intent: Intent) => this.save(container, intent);
  save = async (container: ReturnType<typeof someContainer>, intent: Intent | undefined) => {
    await Promise.resolve();
    if (this.fails) throw new Error("the disk is full");
    this.rows.set(container.id, { container, intent });
  };
  delete = async (id: string) => {
    this.rows.delete(id);
  };
}

describe("Registry", () => {
  let rows: Rows;
  let registry: Registry;

  beforeEach(async () => {
    rows = new Rows();
    registry = new Registry(rows);
    await registry.insert(someContainer({ id: idOf("ab"), name: "web", owner: "1" }), { kind: "create" });
    await registry.insert(someContainer({ id: idOf("ac"), name: "db" }), { kind: "create" });
  });

  it("finds by id, name, slashed name and unique prefix", () => {
    for (const ref of [idOf("ab"), "web", "/web", "aba"]) expect(registry.resolve(ADMINISTRATOR, ref).name).toBe("web");
    expect(() => registry.resolve(ADMINISTRATOR, "a")).toThrow("Multiple IDs found with provided prefix: a");
    expect(() => registry.resolve(ADMINISTRATOR, "nope")).toThrow("No such container: nope");
  });

  it("keeps only the last name after concurrent renames", async () => {
    const id = idOf("ab");
    await Promise.all([registry.rename(id, "one"), registry.rename(id, "two")]);
    expect(registry.get(id)?.name).toBe("two");
    expect(["web", "one", "two"].filter((name) => registry.isTaken("1", name))).toEqual(["two"]);
  });

  it("shows a user only its own containers, and reports others as missing", () => {
    expect(registry.visible(ANN).map(({ name }) => name)).toEqual(["web"]);
    expect(registry.resolve(ANN, "a").name).toBe("web");
    expect(() => registry.resolve(ANN, "db")).toThrow("No such container: db");
  });

  it("accepts a name once, and releases it if the row cannot be written", async () => {
    await expect(
      registry.insert(someContainer({ id: idOf("ad"), name: "web", owner: "1" }), { kind: "create" }),
    ).rejects.toThrow(`The container name "/web" is already in use by container "${idOf("ab")}"`);
    rows.fails = true;
    await expect(registry.insert(someContainer({ id: idOf("ad"), name: "new" }), { kind: "create" })).rejects.toThrow(
      "disk",
    );
    expect(registry.isTaken(undefined, "new")).toBe(false);
    await expect(registry.rename(idOf("ac"), "other")).rejects.toThrow("disk");
    expect([registry.isTaken(undefined, "other"), registry.isTaken(undefined, "db")]).toEqual([false, true]);
  });

  it("lets two owners use one name, which means to each of them its own", async () => {
    await registry.insert(someContainer({ id: idOf("ad"), name: "web" }), { kind: "create" });
    await registry.insert(someContainer({ id: idOf("ae"), name: "web", owner: "2" }), { kind: "create" });
    expect(registry.resolve(ANN, "web").id).toBe(idOf("ab"));
    expect(registry.resolve(ADMINISTRATOR, "web").id).toBe(idOf("ad"));
    expect(registry.resolve(ADMINISTRATOR, "2/web").id).toBe(idOf("ae"));
    expect(() => registry.resolve(ANN, "2/web")).toThrow("No such container: 2/web");
    await registry.rename(idOf("ad"), "mine");
    expect(() => registry.resolve(ADMINISTRATOR, "web")).toThrow(
      "container name web is ambiguous: use one of 1/web, 2/web, or an id",
    );
  });

  it("loses no concurrent change, and keeps the intent until it is done", async () => {
    const count = () => registry.update(idOf("ab"), (before) => ({ ...before, restartCount: before.restartCount + 1 }));
    await Promise.all([count(), count(), count()]);
    expect(rows.rows.get(idOf("ab"))).toMatchObject({ intent: { kind: "create" }, container: { restartCount: 3 } });
    await registry.update(idOf("ab"), (before) => before, "done");
    expect(rows.rows.get(idOf("ab"))?.intent).toBeUndefined();
  });

  it("shows only persisted changes", async () => {
    rows.fails = true;
    await expect(registry.update(idOf("ab"), (before) => ({ ...before, restartCount: 9 }))).rejects.toThrow("disk");
    expect(registry.get(idOf("ab"))?.restartCount).toBe(0);
  });
});

describe("verdictOn", () => {
  const running = someContainer({ state: started(CREATED, { pid: 7, at: "t" }) });
  const task = (status: "created" | "running" | "paused" | "stopped") => ({ status, pid: 7 });
  it.each([
    ["a create that was cut off", someContainer(), { kind: "create" }, undefined, { kind: "undo-create" }],
    [
      "a removal that was cut off",
      running,
      { kind: "remove", volumes: true },
      task("stopped"),
      { kind: "finish-remove", volumes: true },
    ],
    [
      "a forced removal that was cut off early",
      running,
      { kind: "remove", volumes: true },
      task("running"),
      { kind: "adopt", pid: 7, paused: false, finish: { kind: "remove", volumes: true } },
    ],
    [
      "a container that ran on",
      running,
      undefined,
      task("running"),
      { kind: "adopt", pid: 7, paused: false, finish: undefined },
    ],
    [
      "a stop that was cut off",
      running,
      { kind: "stop", signal: "SIGINT", timeoutSeconds: -1 },
      task("running"),
      {
        kind: "adopt",
        pid: 7,
        paused: false,
        finish: { kind: "stop", signal: "SIGINT", timeoutSeconds: -1 },
      },
    ],
    [
      "a restart that was cut off",
      running,
      { kind: "restart", timeoutSeconds: 3 },
      task("running"),
      { kind: "adopt", pid: 7, paused: false, finish: { kind: "restart", timeoutSeconds: 3 } },
    ],
    [
      "a start that had succeeded",
      someContainer(),
      { kind: "start" },
      task("running"),
      { kind: "adopt", pid: 7, paused: false, finish: undefined },
    ],
    [
      "a paused container",
      running,
      undefined,
      task("paused"),
      { kind: "adopt", pid: 7, paused: true, finish: undefined },
    ],
    [
      "a container that an interrupted commit left paused",
      running,
      { kind: "commit" },
      task("paused"),
      { kind: "adopt", pid: 7, paused: true, finish: { kind: "commit" } },
    ],
    [
      "a container that an interrupted commit may pause yet",
      running,
      { kind: "commit" },
      task("running"),
      { kind: "adopt", pid: 7, paused: true, finish: { kind: "commit" } },
    ],
    ["an unobserved exit", running, undefined, task("stopped"), { kind: "hear-exit", neverBegan: false }],
    [
      "a task that was never started",
      someContainer(),
      { kind: "start" },
      task("created"),
      { kind: "hear-exit", neverBegan: true },
    ],
    ["a host that was restarted", running, undefined, undefined, { kind: "lost" }],
    ["a start without a task", someContainer(), { kind: "start" }, undefined, { kind: "lost" }],
    ["a stopped container", someContainer(), undefined, undefined, { kind: "rest" }],
  ] as const)("%s", (_, container, intent, found, verdict) => {
    expect(verdictOn(container, intent, found)).toEqual(verdict);
  });
});
