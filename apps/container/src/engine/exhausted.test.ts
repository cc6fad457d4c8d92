import { writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { exhausted } from "./exhausted.ts";

it("tells a full disk by the kernel's error, however deep it is wrapped", async () => {
  const thrown = await writeFile("/dev/full", "text").catch((cause: unknown) => new Error("files", { cause }));
  expect(exhausted(thrown)).toMatchObject({ kind: "full", cause: thrown });
});

it.each(["cp: error writing 'x': No space left on device", "write /x: disk quota exceeded"])(
  "tells a full disk by what a program said: %s",
  (message) => expect(exhausted(new Error(message))?.kind).toBe("full"),
);

it("tells a process without descriptors", () => {
  const thrown = Object.assign(new Error("spawn EMFILE"), { code: "EMFILE" });
  expect(exhausted(thrown)).toMatchObject({
    kind: "unavailable",
    message: expect.stringContaining("too many open files"),
  });
});

it("takes nothing else for a full disk", () => {
  const circle = new Error("a fault");
  circle.cause = circle;
  for (const thrown of [circle, "no space left on device", undefined]) expect(exhausted(thrown)).toBeUndefined();
});
