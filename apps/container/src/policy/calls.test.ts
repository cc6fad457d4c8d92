import { describe, expect, it } from "vitest";
import type { Actor } from "../engine/actor.ts";
import { user } from "../engine/user.testing.ts";
import { mayCall } from "./calls.ts";

const ADMINISTRATOR: Actor = { kind: "administrator", id: undefined, login: "root" };
const USER: Actor = user(1);

describe("mayCall", () => {
  it.each([
    ["HEAD", "/_ping"],
    ["GET", "/containers/json"],
    ["POST", "/containers/create"],
    ["DELETE", "/containers/abc"],
    ["PUT", "/containers/abc/archive"],
    ["POST", "/exec/abc/start"],
    ["GET", "/images/json"],
    ["GET", "/system/df"],
    ["GET", "/berth/ports"],
    ["POST", "/images/create"],
    ["POST", "/networks/web/connect"],
    ["POST", "/networks/create"],
    ["DELETE", "/networks/web"],
    ["POST", "/networks/prune"],
    ["POST", "/volumes/create"],
    ["DELETE", "/volumes/data"],
    ["POST", "/volumes/prune"],
    ["POST", "/images/prune"],
    ["POST", "/build/prune"],
    ["POST", "/build"],
    ["POST", "/build/cancel"],
    ["POST", "/session"],
    ["POST", "/grpc"],
    ["POST", "/images/busybox/tag"],
    ["POST", "/images/busybox/push"],
    ["DELETE", "/images/busybox"],
  ])("lets a user %s %s", (method, path) => expect(mayCall(USER, method, path)).toBe(true));

  it.each([
    ["POST", "/images/load"],
    ["POST", "/commit"],
    ["POST", "/berth/ports/reservations"],
    ["DELETE", "/berth/ports/reservations/1"],
    ["POST", "/anything/new"],
  ])("restricts %s %s to administrators", (method, path) => {
    expect(mayCall(USER, method, path)).toBe(false);
    expect(mayCall(ADMINISTRATOR, method, path)).toBe(true);
  });
});
