import { expect, test } from "vitest";
import { decode, encode } from "./protos.ts";

const REQUEST = { Ref: "r", FrontendAttrs: { a: "", "": "b" }, Exporters: [{ Type: "image", Attrs: { x: "y" } }] };

test("a message is written as it was read", () => {
  const bytes = encode("moby.buildkit.v1.SolveRequest", REQUEST);
  expect(decode("moby.buildkit.v1.SolveRequest", bytes)).toEqual(REQUEST);
});

test("a field that is not known is refused, wherever it is", () => {
  const bytes = encode("moby.buildkit.v1.SolveRequest", REQUEST);
  // Field 100, a varint.
  const unknown = Buffer.from([0xa0, 0x06, 0x01]);
  expect(() => decode("moby.buildkit.v1.SolveRequest", Buffer.concat([bytes, unknown]))).toThrow("does not know");
  const exporter = Buffer.concat([Buffer.from([0x0a, 0x01, 0x78]), unknown]);
  const nested = Buffer.concat([bytes, Buffer.from([0x6a, exporter.length]), exporter]);
  expect(() => decode("moby.buildkit.v1.SolveRequest", nested)).toThrow("does not know");
});

test("what is no message is refused", () => {
  expect(() => decode("moby.buildkit.v1.SolveRequest", Buffer.from([0xff, 0xff]))).toThrow("no moby.buildkit");
});
