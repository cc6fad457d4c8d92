import { expect, it } from "vitest";
import { resolvConfWords } from "./resolv-conf.ts";

it("reads the words of a keyword over several lines", () => {
  expect(
    resolvConfWords("# nameserver 1\n nameserver\t192.0.2.1 \nnameserver ::1\nsearch a b\n", "nameserver"),
  ).toEqual(["192.0.2.1", "::1"]);
  expect(resolvConfWords("search a b\n", "search")).toEqual(["a", "b"]);
});
