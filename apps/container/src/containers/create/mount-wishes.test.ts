import { describe, expect, it } from "vitest";
import { mountWishes } from "./mount-wishes.ts";

function wishesOf(
  hostConfig: Parameters<typeof mountWishes>[1],
  volumes: Readonly<Record<string, Record<string, never>>> | null = null,
) {
  return mountWishes({ Volumes: volumes }, hostConfig, () => []);
}

function binds(...list: string[]) {
  return { Binds: list, VolumesFrom: null, VolumeDriver: "" };
}

describe("mountWishes", () => {
  it.each([
    ["/a:/b", { kind: "bind", source: "/a", destination: "/b", readWrite: true, propagation: "rprivate" }],
    ["/a:/b:ro", { kind: "bind", readWrite: false }],
    ["/a/../c:/b/:rw,rshared", { kind: "bind", source: "/c", destination: "/b", propagation: "rshared" }],
    ["data:/b", { kind: "volume", name: "data", copy: true, mode: "z" }],
    ["data:/b:nocopy,ro", { kind: "volume", copy: false, readWrite: false }],
  ])("reads %s", (bind, wish) => {
    expect(wishesOf(binds(bind))).toEqual([expect.objectContaining(wish)]);
  });

  it.each([
    ["/a", "invalid volume specification: '/a'"],
    ["/a:/b:ro:x", "invalid volume specification"],
    ["/a:/b:sideways", "invalid mode: sideways"],
    ["/a:/b:ro,rw", "invalid mode: ro,rw"],
    ["/a:b", "invalid mount path: 'b' mount path must be absolute"],
    ["/a:/", "invalid specification: destination can't be '/'"],
    ["a b:/c", "includes invalid characters for a local volume name"],
    ["/a:/b:nocopy", "invalid mode: nocopy"],
  ])("refuses %s", (bind, message) => {
    expect(() => wishesOf(binds(bind))).toThrow(message);
  });

  it("refuses one mount point asked for twice, also by --tmpfs", () => {
    expect(() => wishesOf(binds("/a:/x", "/b:/x/"))).toThrow("Duplicate mount point: /x");
    expect(() => wishesOf({ ...binds("/a:/x"), Tmpfs: { "/x": "" } })).toThrow("Duplicate mount point: /x");
  });

  it("makes an anonymous volume only where nothing else stands", () => {
    const wishes = wishesOf(binds("/a:/x"), { "/x": {}, "/y": {} });
    expect(wishes.map(({ kind, destination }) => [kind, destination])).toEqual([
      ["bind", "/x"],
      ["volume", "/y"],
    ]);
  });

  it("asks the driver of the request for volumes, named or not, that name none", () => {
    const wishes = wishesOf({ ...binds("/a:/x", "data:/y"), VolumeDriver: "other" }, { "/z": {} });
    expect(wishes.map((wish) => (wish.kind === "volume" ? wish.driver : wish.kind))).toEqual([
      "bind",
      "other",
      "other",
    ]);
  });

  it("takes the mounts of another container, read-only where asked, its own over them", () => {
    const point = {
      type: "volume",
      name: "data",
      source: "/v",
      destination: "/d",
      mode: "z",
      readWrite: true,
      propagation: "",
    } as const;
    const from = (suffix: string, list: string[] = []) =>
      mountWishes({ Volumes: null }, { ...binds(...list), VolumesFrom: [`other${suffix}`] }, () => [point]);
    expect(from("")).toEqual([expect.objectContaining({ kind: "volume", name: "data", readWrite: true, copy: false })]);
    expect(from(":ro")).toEqual([expect.objectContaining({ readWrite: false })]);
    expect(from("", ["/a:/d"])).toEqual([expect.objectContaining({ kind: "bind", source: "/a" })]);
    expect(() => from(":odd")).toThrow("invalid mode: odd");
  });
});
