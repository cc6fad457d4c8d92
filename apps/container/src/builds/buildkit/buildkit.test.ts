import { expect, test } from "vitest";
import { HOST_ADMINISTRATOR } from "../../engine/actor.ts";
import { BuildKit } from "./buildkit.ts";

test.each([
  [undefined, /^BuildKit's API is not offered: set DOCKER_BUILDKIT=0, or build with `docker buildx create/],
  ["buildah", /^this host has no builder: an administrator installs one with `apt-get install buildah`/],
])("without a BuildKit, and with %s missing, one line tells what to do", async (missing, message) => {
  const options = { address: undefined, doorAddress: "", builder: { missing: async () => missing } };
  const buildKit = new BuildKit(options as never);
  expect(await buildKit.isOffered(HOST_ADMINISTRATOR)).toBe(false);
  const refused = expect(
    buildKit.openControl(
      HOST_ADMINISTRATOR,
      () => undefined,
      () => undefined,
    ),
  ).rejects;
  await refused.toMatchObject({ kind: "unsupported", message: expect.stringMatching(message) });
});
