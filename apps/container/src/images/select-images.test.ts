import { describe, expect, test } from "vitest";
import type { Catalogue, StoredImage } from "./catalogue.ts";
import { findImage } from "./find-image.ts";
import { parseReference } from "./reference/reference.ts";
import { selectImages } from "./select-images.ts";

function idOf(letter: string): string {
  return `sha256:${letter.repeat(64)}`;
}
function image(
  letter: string,
  created: string,
  rest: { labels?: Record<string, string>; parent?: string } = {},
): StoredImage {
  return {
    id: idOf(letter),
    manifest: { mediaType: "", digest: idOf("0"), size: 1 },
    configuration: {
      os: "linux",
      architecture: "amd64",
      created,
      config: { Labels: rest.labels ?? {} },
      rootfs: { type: "layers", diff_ids: [] },
    },
    chainIds: [],
    layerSizes: [],
    parent: rest.parent ?? "",
  };
}

function named(name: string, letter: string) {
  const parsed = parseReference(name);
  if (!parsed.ok) throw new Error(name);
  return [name, { reference: parsed.value, imageId: idOf(letter), taggedAt: "" }] as const;
}

const CATALOGUE: Catalogue = {
  images: new Map(
    [
      image("a", "2024-01-01T00:00:00Z", { labels: { tier: "web", "no-value": "" } }),
      image("b", "2024-02-01T00:00:00Z", { labels: { tier: "db" } }),
      image("c", "2024-03-01T00:00:00Z", { parent: idOf("d") }),
      image("d", "2024-02-15T00:00:00Z"),
      image("e", "2024-04-01T00:00:00Z"),
    ].map((each) => [each.id, each]),
  ),
  names: new Map([
    named("docker.io/library/web:v1", "a"),
    named("docker.io/library/web:latest", "a"),
    named("localhost:5000/team/db:v2", "b"),
    named(`localhost:5000/team/db@${idOf("f")}`, "e"),
    named("docker.io/library/top:latest", "c"),
  ]),
};

const nowMs = Date.parse("2024-05-01T00:00:00Z");
function select(filters: Record<string, readonly string[]>, all = false): string {
  return selectImages(CATALOGUE, { all, filters: new Map(Object.entries(filters)), nowMs })
    .map(({ image: { id } }) => id.charAt("sha256:".length))
    .join("");
}

describe("selectImages", () => {
  test.each([
    ["newest first, without intermediate images", {}, false, "ecba"],
    ["all images", {}, true, "ecdba"],
    ["without a tag", { dangling: ["true"] }, false, "e"],
    ["with a name", { dangling: ["false"] }, true, "ecba"],
    ["label with a value", { label: ["tier=web"] }, false, "a"],
    ["label without a value", { label: ["tier"] }, false, "ba"],
    ["both of two labels", { label: ["tier=web", "no-value"] }, false, "a"],
    ["a label's empty value", { label: ["no-value="] }, false, "a"],
    ["before an image", { before: ["top"] }, false, "ba"],
    ["since an image", { since: ["web:v1"] }, false, "ecb"],
    ["between two", { since: ["web"], before: ["top"] }, false, "b"],
    ["until a date", { until: ["2024-02-01"] }, false, "a"],
    ["until a duration ago", { until: ["1440h"] }, false, "cba"],
    ["a name", { reference: ["web"] }, false, "a"],
    ["a name with a tag", { reference: ["web:v*"] }, false, "a"],
    ["a full name", { reference: ["docker.io/library/web"] }, false, "a"],
    ["a star stops at a slash", { reference: ["*"] }, false, "ca"],
    ["stars for each part", { reference: ["*/*/*"] }, false, "ecba"],
    ["one of two", { reference: ["web", "top"] }, false, "ca"],
    ["no match", { reference: ["nothing"] }, false, ""],
  ])("%s", (_, filters, all, expected) => {
    expect(select(filters, all)).toBe(expected);
  });

  test("shows only the names that match a reference filter", () => {
    const [found] = selectImages(CATALOGUE, { all: false, filters: new Map([["reference", ["web:v1"]]]), nowMs });
    expect(found?.references.map(({ tag }) => tag)).toEqual(["v1"]);
  });

  test.each([
    [{ nonsense: ["1"] }, "invalid filter 'nonsense'"],
    [{ dangling: ["maybe"] }, "invalid filter 'dangling=[maybe]'"],
    [{ dangling: ["true", "false"] }, "invalid filter 'dangling=[true false]'"],
    [{ until: ["someday"] }, "invalid value for 'until' filter: someday"],
    [{ reference: ["[a"] }, "invalid filter 'reference=[a': syntax error in pattern"],
    [{ before: ["gone"] }, "No such image: gone:latest"],
  ])("rejects %j", (filters, message) => {
    expect(() => select(filters)).toThrow(message);
  });
});

describe("findImage", () => {
  test.each([
    ["web", "a"],
    ["web:v1", "a"],
    ["docker.io/library/web", "a"],
    ["localhost:5000/team/db:v2", "b"],
    [`localhost:5000/team/db@${idOf("f")}`, "e"],
    [`localhost:5000/team/db:any@${idOf("f")}`, "e"],
    ["aaaa", "a"],
    ["sha256:bb", "b"],
    [idOf("c"), "c"],
    ["d".repeat(64), "d"],
  ])("%s", (name, letter) => expect(findImage(CATALOGUE, name).id).toBe(idOf(letter)));

  test.each([
    ["nothing", "No such image: nothing:latest"],
    ["web:v9", "No such image: web:v9"],
    ["ff", "No such image: ff:latest"],
    [idOf("9"), `No such image: ${idOf("9")}`],
    ["Web", "invalid reference format: repository name (library/Web) must be lowercase"],
    ["a b", "invalid reference format"],
  ])("does not find %s", (name, message) => expect(() => findImage(CATALOGUE, name)).toThrow(message));

  test("finds nothing for an ambiguous prefix", () => {
    const twins = new Map(
      [
        image("a", "2024-01-01T00:00:00Z"),
        { ...image("a", "2024-01-01T00:00:00Z"), id: `sha256:${"a".repeat(63)}b` },
      ].map((each) => [each.id, each]),
    );
    expect(() => findImage({ images: twins, names: new Map() }, "aaaa")).toThrow("No such image: aaaa:latest");
  });
});
