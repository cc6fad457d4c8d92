import { expect, it } from "vitest";
import { MEDIA_TYPES, parseDocument } from "./manifest.ts";

const CONFIG = { mediaType: MEDIA_TYPES.config, digest: `sha256:${"0".repeat(64)}`, size: 2 };

function parsed(document: object) {
  return parseDocument(Buffer.from(JSON.stringify(document)));
}

it.each([2, 0, undefined])("reads manifests and indexes of version %s", (schemaVersion) => {
  expect(parsed({ schemaVersion, config: CONFIG, layers: [] })).toMatchObject({
    ok: true,
    value: { kind: "manifest" },
  });
  expect(parsed({ schemaVersion, manifests: [] })).toMatchObject({ ok: true, value: { kind: "index" } });
});

it.each([
  [1, "schema 1 support has been removed"],
  [3, "unsupported manifest format"],
])("reads no manifest of version %s", (schemaVersion, message) => {
  const error = expect.stringContaining(message);
  expect(parsed({ schemaVersion, config: CONFIG, layers: [] })).toEqual({ ok: false, error });
});
