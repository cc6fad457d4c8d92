import { describe, expect, it } from "vitest";
import { someConfig } from "../records/container.testing.ts";
import type { LayerPath } from "../records/runtime.ts";
import { besideImage, changesOf } from "./changes.ts";
import { committedConfig } from "./commit.ts";
import { baseOf, containerPath } from "./path.ts";

describe("containerPath and baseOf", () => {
  it.each([
    ["/etc/notes", "/etc/notes", "notes"],
    ["etc/notes", "/etc/notes", "notes"],
    ["/etc/", "/etc/", "etc"],
    ["/etc/.", "/etc/.", "."],
    ["/etc/./", "/etc/./", "."],
    ["//etc///notes", "/etc/notes", "notes"],
    ["../../etc", "/etc", "etc"],
    ["/a/../b/..", "/", "/"],
    ["/", "/", "/"],
    [".", "/.", "."],
    ["/.", "/.", "."],
    ["..", "/", "/"],
    ["/.hidden", "/.hidden", ".hidden"],
    ["/a.", "/a.", "a."],
  ])("%j becomes %j with base name %j", (path, clean, base) => {
    expect(containerPath(path)).toBe(clean);
    expect(baseOf(clean)).toBe(base);
  });

  it.each(["/a\0b", `/${"x".repeat(5000)}`])("refuses an impossible path", (path) => {
    expect(() => containerPath(path)).toThrow(expect.objectContaining({ kind: "invalid" }));
  });
});

describe("changesOf", () => {
  const layer = (...paths: readonly string[]): readonly LayerPath[] =>
    paths.map((path) => (path.startsWith("-") ? { path: path.slice(1), deleted: true } : { path, deleted: false }));
  const letters = { added: "A", modified: "C", deleted: "D" };
  const shown = (changes: ReturnType<typeof changesOf>) => changes.map(({ path, kind }) => `${letters[kind]} ${path}`);

  it.each<readonly [string, readonly LayerPath[], readonly string[], readonly string[], readonly string[]]>([
    ["nothing", [], [], [], []],
    ["the root alone", layer("/"), ["/"], [], []],
    ["an added file", layer("/etc", "/etc/new"), ["/etc"], [], ["C /etc", "A /etc/new"]],
    ["a folder above that the layer does not name", layer("/a/b/c"), [], [], ["C /a", "C /a/b", "A /a/b/c"]],
    ["a deleted file", layer("/etc", "-/etc/old"), ["/etc"], [], ["C /etc", "D /etc/old"]],
    ["a folder's own change", layer("/home"), ["/home"], [], ["C /home"]],
    ["an empty new folder", layer("/srv"), [], [], ["A /srv"]],
    ["a place to mount on", layer("/data"), [], ["/data"], []],
    ["the folders made for it", layer("/a", "/a/b", "/a/b/data"), [], ["/a/b/data"], []],
    ["a folder that changed for it alone", layer("/etc", "/etc/hosts"), ["/etc"], ["/etc/hosts"], []],
    [
      "a folder with another change beside it",
      layer("/etc", "/etc/hosts", "/etc/new"),
      ["/etc"],
      ["/etc/hosts"],
      ["C /etc", "A /etc/new"],
    ],
    ["a change within it", layer("/data", "/data/file"), [], ["/data"], ["A /data/file"]],
  ])("lists %s", (_, paths, existing, hidden, changes) => {
    expect(shown(besideImage(changesOf(paths, new Set(hidden)), new Set(existing)))).toEqual(changes);
  });
});

describe("committedConfig", () => {
  const container = someConfig({
    Cmd: ["serve"],
    Entrypoint: ["/init"],
    Env: ["A=1"],
    User: "7",
    Hostname: "of-one-container",
    StopSignal: "SIGINT",
    Healthcheck: { Test: ["CMD", "check"] },
    ExposedPorts: { "80/tcp": {} },
    Volumes: { "/data": {} },
  });

  it("keeps settings that the request does not override", () => {
    expect(committedConfig(container, {})).toEqual({
      Cmd: ["serve"],
      Entrypoint: ["/init"],
      Env: ["A=1"],
      User: "7",
      WorkingDir: "",
      Labels: {},
      OnBuild: null,
      StopSignal: "SIGINT",
      Healthcheck: { Test: ["CMD", "check"] },
      ExposedPorts: { "80/tcp": {} },
      Volumes: { "/data": {} },
    });
  });

  it("drops the command when the entrypoint changes, and merges ports and volumes", () => {
    const request = {
      Entrypoint: ["/other"],
      ExposedPorts: { "81/tcp": {} },
      Volumes: { "/more": {} },
      StopSignal: "9",
    };
    expect(committedConfig(container, request)).toMatchObject({
      Cmd: null,
      Entrypoint: ["/other"],
      StopSignal: "9",
      ExposedPorts: { "80/tcp": {}, "81/tcp": {} },
      Volumes: { "/data": {}, "/more": {} },
    });
  });
});
