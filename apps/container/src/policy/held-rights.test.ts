import { expect, it } from "vitest";
import type { Actor } from "../engine/actor.ts";
import { HOST_ADMINISTRATOR } from "../engine/actor.ts";
import { EngineError } from "../engine/errors.ts";
import { HeldRights, watchRights } from "./held-rights.ts";

const ANN: Actor = { ...HOST_ADMINISTRATOR, login: "ann" };
const LESS: Actor = { ...ANN, login: "ann with less" };

function needAll({ login }: Actor): void {
  if (login !== ANN.login) throw new EngineError("forbidden", "denied by policy");
}

it("decides at once, and again for the actor as it is then", () => {
  const rights = new HeldRights(ANN);
  rights.need(needAll);
  rights.renew({ ...ANN });
  expect(() => rights.renew(LESS)).toThrow("denied by policy");
  expect(rights.actor).toBe(LESS);
  expect(() => rights.need(needAll)).toThrow("denied by policy");
});

it("forgets a need that has ended", () => {
  const rights = new HeldRights(ANN);
  rights.need(needAll)();
  rights.renew(LESS);
  expect(rights.actor).toBe(LESS);
});

it("ends work with the reason", () => {
  const rights = new HeldRights(ANN);
  const end = new AbortController();
  let renew = (_: Actor): void => undefined;
  watchRights(rights, (allows) => (renew = allows), end);
  rights.need(needAll);
  renew(LESS);
  expect(end.signal.reason).toMatchObject({ kind: "forbidden" });
});
