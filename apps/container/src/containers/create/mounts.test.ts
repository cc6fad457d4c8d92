import { describe, expect, it } from "vitest";
import { combineMounts, inheritedMounts, parseBind, requestedMounts, validateMountCount } from "./mounts.ts";

function binds(...list: string[]) {
  return { Binds: list, VolumeDriver: "" };
}

describe("parseBind", () => {
  it.each([
    ["/a:/b", { kind: "bind", source: "/a", destination: "/b", readWrite: true, propagation: "" }],
    ["/a:/b:ro", { kind: "bind", readWrite: false }],
    ["/a/../c:/b/:rw,rshared", { kind: "bind", source: "/c", destination: "/b", propagation: "rshared" }],
    ["/a:/b:z,ro,delegated", { kind: "bind", mode: "z,ro,delegated", readWrite: false }],
    ["data:/b", { kind: "volume", name: "data", copy: true, mode: "z" }],
    ["data:/b:nocopy,ro", { kind: "volume", copy: false, readWrite: false }],
    ["/anonymous", { kind: "volume", name: undefined, destination: "/anonymous", readWrite: true, copy: true }],
  ])("reads %s", (bind, wish) => {
    expect(parseBind(bind)).toEqual({ ok: true, value: expect.objectContaining(wish) });
  });

  it.each([
    ["", "invalid volume specification: ''"],
    [":/b", "invalid volume specification: ':/b'"],
    ["/a:", "invalid volume specification: '/a:'"],
    ["/a:ro", "invalid volume specification: '/a:ro'"],
    ["/a:/b:ro:x", "invalid volume specification: '/a:/b:ro:x'"],
    ["/a:/b:sideways", "invalid mode: sideways"],
    ["/a:/b:default", "invalid mode: default"],
    ["/a:/b:ro,rw", "invalid mode: ro,rw"],
    ["/a:/b:z,z", "invalid mode: z,z"],
    ["/a:/b:z,Z", "invalid mode: z,Z"],
    [
      "/a:b",
      `invalid volume specification: '/a:b': invalid mount config for type "bind": invalid mount path: 'b' mount path must be absolute`,
    ],
    [
      "a:/b:rshared",
      `invalid volume specification: 'a:/b:rshared': invalid mount config for type "volume": field BindOptions must not be specified`,
    ],
    [
      "/a:/b:nocopy",
      `invalid volume specification: '/a:/b:nocopy': invalid mount config for type "bind": field VolumeOptions must not be specified`,
    ],
    [
      "/a:/",
      `invalid volume specification: '/a:/': invalid mount config for type "bind": invalid specification: destination can't be '/'`,
    ],
    [
      "relative",
      `invalid volume specification: 'relative': invalid mount config for type "volume": invalid mount path: 'relative' mount path must be absolute`,
    ],
  ])("rejects %j", (bind, error) => {
    expect(parseBind(bind)).toEqual({ ok: false, error });
  });
});

describe("requestedMounts", () => {
  it("rejects a destination requested twice, also by --tmpfs", () => {
    const twice = { ok: false, error: "Duplicate mount point: /x" };
    expect(requestedMounts(binds("/a:/x", "/b:/x/"))).toEqual(twice);
    expect(requestedMounts({ ...binds("/a:/x"), Tmpfs: { "/x": "" } })).toEqual(twice);
    expect(requestedMounts({ ...binds("/a:/x"), Mounts: [{ Type: "tmpfs", Target: "/x/" }] })).toEqual(twice);
  });

  it("keeps what is mounted below a source away where the request says so", () => {
    const bind = { Type: "bind" as const, Source: "/sys", Target: "/s" };
    const mounts = (NonRecursive: boolean) =>
      requestedMounts({ ...binds(), Mounts: [{ ...bind, BindOptions: { NonRecursive } }] });
    expect(mounts(true)).toMatchObject({ ok: true, value: [{ nonRecursive: true }] });
    expect(mounts(false)).toMatchObject({ ok: true, value: [expect.not.objectContaining({ nonRecursive: true })] });
  });

  it("mounts a part of a volume, into which nothing is copied", () => {
    const Mounts = [{ Type: "volume" as const, Source: "data", Target: "/d", VolumeOptions: { Subpath: "a/./b/" } }];
    expect(requestedMounts({ ...binds(), Mounts })).toMatchObject({
      ok: true,
      value: [{ subpath: "a/b/", copy: true }],
    });
  });

  const bind = { Type: "bind", Source: "/a", Target: "/b" } as const;
  it.each([
    [
      { Type: "volume", Source: "v1", Target: "/d", VolumeOptions: { Subpath: "../x" } },
      "subpath must be a relative path",
    ],
    [
      { Type: "volume", Source: "v1", Target: "/d", VolumeOptions: { Subpath: "/x" } },
      "subpath must be a relative path",
    ],
    [
      { Type: "volume", Target: "/d", VolumeOptions: { Subpath: "x" } },
      "must not set Subpath when using anonymous volumes",
    ],
    [{ ...bind, BindOptions: { ReadOnlyNonRecursive: true } }, "mount options conflict: !ReadOnly"],
    [{ ...bind, BindOptions: { ReadOnlyForceRecursive: true } }, "mount options conflict: !ReadOnly"],
    [
      { ...bind, ReadOnly: true, BindOptions: { ReadOnlyNonRecursive: true, ReadOnlyForceRecursive: true } },
      "mount options conflict: ReadOnlyNonRecursive",
    ],
    [{ Type: "tmpfs", Target: "/t", TmpfsOptions: { Options: [["size", "1m"]] } }, "invalid option: size"],
    [{ Type: "tmpfs", Target: "/t", TmpfsOptions: { Options: [["exec", "a", "b"]] } }, "invalid option array length"],
    [{ Type: "image", Target: "/i" }, "field Source must not be empty"],
    [
      { Type: "image", Source: "busybox", Target: "/i", VolumeOptions: {} },
      "field VolumeOptions must not be specified",
    ],
    [{ ...bind, ImageOptions: {} }, "field ImageOptions must not be specified"],
  ] as const)("rejects %j", (mount, error) => {
    const refused = requestedMounts({ ...binds(), Mounts: [mount] });
    expect(refused).toEqual({ ok: false, error: expect.stringContaining(error) });
  });

  it("rejects an invalid volume name", () => {
    expect(requestedMounts(binds("a b:/c"))).toEqual({
      ok: false,
      error: expect.stringContaining("invalid characters"),
    });
    expect(requestedMounts(binds("v:/c"))).toEqual({ ok: false, error: expect.stringContaining("too short") });
  });
});

describe("combineMounts", () => {
  function combined(list: readonly string[], volumes: readonly string[], VolumeDriver = "") {
    const host = { ...binds(...list), VolumeDriver };
    const requested = requestedMounts(host);
    const all = requested.ok ? combineMounts([], requested.value, volumes, host) : requested;
    return all.ok ? all.value : [];
  }

  it("adds an anonymous volume only where the destination is free", () => {
    expect(combined(["/a:/x"], ["/x", "/y"]).map(({ kind, destination }) => [kind, destination])).toEqual([
      ["bind", "/x"],
      ["volume", "/y"],
    ]);
  });

  it("uses the request's volume driver for volumes without a driver", () => {
    const wishes = combined(["/a:/x", "data:/y"], ["/z"], "other");
    expect(wishes.map((wish) => (wish.kind === "volume" ? wish.driver : wish.kind))).toEqual([
      "bind",
      "other",
      "other",
    ]);
  });
});

const point = {
  type: "volume",
  name: "data",
  source: "/v",
  destination: "/d",
  mode: "z",
  readWrite: true,
  propagation: "",
} as const;

describe("a container's mounts", () => {
  const many = Array.from({ length: 600 }, (_, at) => `/b${at}:/b${at}`);
  const inherited = Array.from({ length: 401 }, (_, at) => ({ ...point, destination: `/i${at}` }));
  const Tmpfs = Object.fromEntries(Array.from({ length: 401 }, (_, at) => [`/t${at}`, ""]));
  const tooMany = (count: number) => ({
    ok: false,
    error: `a container can have at most 1000 mounts, and this one asks for ${count}`,
  });

  it("are at most 1,000, counting inherited ones", () => {
    const from = inheritedMounts(["other"], () => inherited);
    const requested = requestedMounts(binds(...many));
    expect(from.ok && requested.ok && combineMounts(from.value, requested.value, [], binds())).toEqual(tooMany(1_001));
  });

  it("are counted before any of them is read", () => {
    expect(validateMountCount({ ...binds(...many), Tmpfs })).toBe(tooMany(1_001).error);
    expect(validateMountCount(binds(...Array.from({ length: 20_000 }, () => "")))).toBe(tooMany(20_000).error);
    expect(
      inheritedMounts(
        Array.from({ length: 20_000 }, () => "other"),
        () => inherited,
      ),
    ).toEqual(tooMany(1_203));
    const volumes = Array.from({ length: 1_001 }, () => "relative");
    expect(combineMounts([], [], volumes, binds())).toEqual(tooMany(1_001));
  });
});

describe("inheritedMounts", () => {
  it("inherits the mounts of another container, read-only on request", () => {
    const volume = { kind: "volume", name: "data", copy: false };
    expect(inheritedMounts(["other"], () => [point])).toEqual({
      ok: true,
      value: [expect.objectContaining({ ...volume, readWrite: true })],
    });
    expect(inheritedMounts(["other:ro"], () => [point])).toEqual({
      ok: true,
      value: [expect.objectContaining({ ...volume, readWrite: false })],
    });
    expect(inheritedMounts(["other:odd"], () => [point])).toEqual({ ok: false, error: "invalid mode: odd" });
  });

  it("overrides inherited mounts with the container's own", () => {
    const inherited = inheritedMounts(["other"], () => [point]);
    const requested = requestedMounts(binds("/a:/d"));
    const own = [expect.objectContaining({ kind: "bind", source: "/a" })];
    expect(inherited.ok && requested.ok && combineMounts(inherited.value, requested.value, [], binds())).toEqual({
      ok: true,
      value: own,
    });
  });
});
