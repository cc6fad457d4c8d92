import { expect, test } from "vitest";
import { user } from "../engine/user.testing.ts";
import { onlyPlaceOf } from "./only-place.ts";
import type { Place } from "./place.ts";

function place(owner: string, name: string, state: Place["state"] = "ready") {
  return { user: owner, name, state };
}

test("finds the only place that a user has and may enter", () => {
  const places = [place("8", "ci"), place("7", "web"), place("7", "old", "ending"), place("7", "new", "taken")];
  expect(onlyPlaceOf(user(7), places)).toMatchObject({ name: "web" });
});

test.each<[string, readonly ReturnType<typeof place>[], string]>([
  [
    "none",
    [place("8", "ci"), place("7", "old", "ending")],
    "users of this host work in places, and user user-7 has none here",
  ],
  ["several", [place("7", "ci"), place("7", "web")], "user user-7 has places ci, web on this host: name one"],
])("refuses a user with %s", (_, places, message) => {
  expect(() => onlyPlaceOf(user(7), places)).toThrow(message);
});
