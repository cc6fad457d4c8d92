import { DirectoryUnavailable } from "@berth/directory-client";
import { BASELINES, type EffectiveConstraints, type Subject, type UserId } from "@berth/directory-domain";
import { describe, expect, it } from "vitest";
import { createWhoseLogin } from "./directory.ts";

function subject(fields: Partial<Subject>): Subject {
  return {
    id: 7 as UserId,
    login: "Ann",
    role: "user",
    active: true,
    ...fields,
  };
}
function effectiveOf(one: Subject): EffectiveConstraints {
  return {
    subject: one,
    baseline: BASELINES.safe,
    constraints: [],
    unreadable: [],
  };
}

/** A directory that knows one user, by any login. */
function knowing(one: Subject | undefined) {
  return createWhoseLogin({
    userByLogin: async () => one,
    effective: async () => one && effectiveOf(one),
  });
}

describe("who has a login", () => {
  it("is the directory's user, with its spelling and with what holds for it", async () => {
    const ann = subject({});
    expect(await knowing(ann)("ann")).toEqual({ kind: "user", id: "7", login: "Ann", effective: effectiveOf(ann) });
  });
  it("is an administrator where the directory says so", async () => {
    expect(await knowing(subject({ role: "admin" }))("ann")).toEqual({ kind: "administrator", id: "7", login: "Ann" });
  });
  it("is a user like others where it may read the whole directory", async () => {
    expect(await knowing(subject({ role: "operator" }))("ann")).toMatchObject({ kind: "user" });
  });

  it.each([
    ["nobody", undefined, "the directory has no user nobody"],
    ["ann", subject({ active: false }), "the user ann is disabled"],
    ["a b", subject({}), '"a b" is no login'],
    ["ann\0", subject({}), "is no login"],
    ["", subject({}), '"" is no login'],
  ])("%j is refused", async (login, known, message) => {
    const refusal = { kind: "forbidden", message: expect.stringContaining(message) };
    await expect(knowing(known)(login)).rejects.toMatchObject(refusal);
  });

  it("is not decided where the user was deleted between two questions", async () => {
    const whoseLogin = createWhoseLogin({ userByLogin: async () => subject({}), effective: async () => undefined });
    await expect(whoseLogin("ann")).rejects.toMatchObject({ kind: "forbidden" });
  });

  it.each(["userByLogin", "effective"] as const)("is nobody where %s gets no answer", async (silent) => {
    const ann = subject({});
    const directory = { userByLogin: async () => ann, effective: async () => effectiveOf(ann) };
    const fails = () => Promise.reject(new DirectoryUnavailable("cut"));
    const whoseLogin = createWhoseLogin({ ...directory, [silent]: fails });
    await expect(whoseLogin("ann")).rejects.toMatchObject({ kind: "unavailable" });
  });
});
