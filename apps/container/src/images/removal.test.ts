import { describe, expect, test } from "vitest";
import type { Catalogue, StoredImage } from "./catalogue.ts";
import { parseReference } from "./reference/reference.ts";
import { linesOf, planRemoval, type RemovalOptions } from "./removal.ts";

function idOf(letter: string): string {
  return `sha256:${letter.repeat(64)}`;
}
function short(letter: string): string {
  return letter.repeat(12);
}

interface Sketch {
  readonly names?: readonly string[];
  readonly layers?: readonly string[];
  readonly parent?: string;
}

function catalogueOf(sketches: Readonly<Record<string, Sketch>>): Catalogue {
  const images = new Map<string, StoredImage>();
  const names = new Map<string, { reference: { domain: string; path: string }; imageId: string; taggedAt: string }>();
  for (const [letter, { names: own = [], layers = [], parent }] of Object.entries(sketches)) {
    images.set(idOf(letter), {
      id: idOf(letter),
      manifest: { mediaType: "", digest: idOf("0"), size: 1 },
      configuration: { os: "linux", architecture: "amd64", rootfs: { type: "layers", diff_ids: [] } },
      chainIds: layers,
      layerSizes: layers.map(() => 1),
      parent: parent === undefined ? "" : idOf(parent),
    });
    for (const name of own) {
      const parsed = parseReference(name);
      if (!parsed.ok) throw new Error(name);
      names.set(name, { reference: parsed.value, imageId: idOf(letter), taggedAt: "" });
    }
  }
  return { images, names };
}

function remove(catalogue: Catalogue, name: string, options: Partial<RemovalOptions> = {}): readonly string[] | string {
  const plan = planRemoval(catalogue, name, { force: false, prune: true, inUse: new Map(), ...options });
  return plan.ok
    ? plan.value
        .flatMap(linesOf)
        .map((line) =>
          "Untagged" in line ? `-${line.Untagged}` : `x${line.Deleted.replace("sha256:", "").slice(0, 2)}`,
        )
    : plan.error;
}

function used(letter: string, running: boolean): Partial<RemovalOptions> {
  return {
    inUse: new Map([[idOf(letter), { containerId: "c".repeat(64), running }]]),
  };
}

const WEB = "docker.io/library/web";
const DIGEST = `${WEB}@${idOf("f")}`;

describe("planRemoval", () => {
  const one = catalogueOf({ a: { names: [`${WEB}:v1`, DIGEST], layers: ["l1", "l2"] }, b: { layers: ["l1"] } });
  const two = catalogueOf({ a: { names: [`${WEB}:v1`, `${WEB}:v2`, "localhost/other:v1"] } });
  const chain = catalogueOf({
    a: { names: [`${WEB}:v1`], layers: ["l1", "l2", "l3"], parent: "b" },
    b: { layers: ["l1", "l2"], parent: "e" },
    e: { names: [`${WEB}:base`], layers: ["l1"] },
  });

  test.each([
    [
      "the last tag removes the digests and the image",
      one,
      "web:v1",
      {},
      ["-web:v1", `-web@${idOf("f")}`, "xaa", "xl2"],
    ],
    ["an id of one repository removes its names", one, "aaaa", {}, ["-web:v1", `-web@${idOf("f")}`, "xaa", "xl2"]],
    ["a tag beside others is only untagged", two, "web:v1", {}, ["-web:v1"]],
    [
      "an id of several repositories is refused",
      two,
      "aaaa",
      {},
      `conflict: unable to delete ${short("a")} (must be forced) - image is referenced in multiple repositories`,
    ],
    ["unless forced", two, "aaaa", { force: true }, ["-web:v1", "-web:v2", "-localhost/other:v1", "xaa"]],
    ["untagged parents are removed too", chain, "web:v1", {}, ["-web:v1", "xaa", "xl3", "xbb", "xl2"]],
    ["untagged parents stay without prune", chain, "web:v1", { prune: false }, ["-web:v1", "xaa", "xl3"]],
    [
      "a parent cannot be removed by its id",
      chain,
      "bbbb",
      { force: true },
      `conflict: unable to delete ${short("b")} (cannot be forced) - image has dependent child images`,
    ],
    ["a parent's tag can be removed", chain, "web:base", {}, ["-web:base"]],
    [
      "a tag that a container uses",
      one,
      "web:v1",
      used("a", false),
      `conflict: unable to remove repository reference "web:v1" (must force) - container ${short("c")} is using its referenced image ${short("a")}`,
    ],
    [
      "forced, with a stopped container",
      one,
      "web:v1",
      { ...used("a", false), force: true },
      ["-web:v1", `-web@${idOf("f")}`, "xaa"],
    ],
    [
      "forced, with a running one: only untagged",
      one,
      "web:v1",
      { ...used("a", true), force: true },
      ["-web:v1", `-web@${idOf("f")}`],
    ],
    [
      "an id with a running container",
      one,
      "aaaa",
      { ...used("a", true), force: true },
      `conflict: unable to delete ${short("a")} (cannot be forced) - image is being used by running container ${short("c")}`,
    ],
    [
      "an id with a stopped container",
      one,
      "aaaa",
      used("a", false),
      `conflict: unable to delete ${short("a")} (must be forced) - image is being used by stopped container ${short("c")}`,
    ],
    ["one of two tags, with a container", two, "web:v1", used("a", true), ["-web:v1"]],
    ["an untagged image", one, "bbbb", {}, ["xbb"]],
    ["a digest", one, `web@${idOf("f")}`, {}, [`-web@${idOf("f")}`]],
  ] as const)("%s", (_, catalogue, name, options, expected) => {
    expect(remove(catalogue, name, options)).toEqual(expected);
  });

  test("plans without changing the catalogue", () => {
    remove(one, "web:v1", { force: true });
    expect(one.images.size).toBe(2);
    expect(one.names.size).toBe(2);
  });
});
