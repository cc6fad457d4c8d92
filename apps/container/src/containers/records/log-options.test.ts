import { describe, expect, it } from "vitest";
import { someConfig, someContainer, someHostConfig } from "./container.testing.ts";
import { logAttributes, logOf, validateLogValues } from "./log-options.ts";

function jsonFile(Config: Readonly<Record<string, string>>) {
  return { Type: "json-file", Config };
}

describe("validateLogValues", () => {
  const fails = "failed to initialize logging driver: ";
  it.each([
    [{}, undefined],
    [
      { "max-size": "10m", "max-file": "3", compress: "true", mode: "non-blocking", "max-buffer-size": "4m" },
      undefined,
    ],
    [{ "max-size": "1.5kb" }, undefined],
    [{ "max-size": "zz" }, `${fails}invalid size: 'zz'`],
    [{ "max-size": "-1" }, `${fails}invalid size: '-1'`],
    [{ "max-size": "" }, `${fails}invalid size: ''`],
    [{ "max-size": "0" }, `${fails}max-size must be a positive number`],
    [{ "max-file": "0" }, `${fails}max-file cannot be less than 1`],
    [{ "max-file": "x" }, `${fails}strconv.Atoi: parsing "x": invalid syntax`],
    [{ compress: "perhaps" }, `${fails}strconv.ParseBool: parsing "perhaps": invalid syntax`],
    [{ "labels-regex": "(" }, `${fails}error parsing regexp: '('`],
    [{ mode: "odd" }, "logger: logging mode not supported: odd"],
    [{ "max-buffer-size": "1m" }, "logger: max-buffer-size option is only supported with 'mode=non-blocking'"],
  ])("%j: %s", (options, refusal) => expect(validateLogValues(jsonFile(options))).toBe(refusal));

  it("accepts options that a driver without a log ignores", () => {
    expect(validateLogValues({ Type: "none", Config: { "max-size": "zz" } })).toBeUndefined();
  });
});

describe("logOf", () => {
  it.each([
    [{}, { maxBytes: undefined, maxFiles: 1 }],
    [
      { "max-size": "10m", "max-file": "3" },
      { maxBytes: 10 * 1024 * 1024, maxFiles: 3 },
    ],
    [{ "max-size": "1.5k" }, { maxBytes: 1536, maxFiles: 1 }],
    [{ "max-size": "512" }, { maxBytes: 512, maxFiles: 1 }],
    [{ "max-size": "2GiB" }, { maxBytes: 2 * 1024 ** 3, maxFiles: 1 }],
  ])("%j", (options, log) => expect(logOf(jsonFile(options))).toEqual(log));

  it.each([
    [{}, { maxBytes: 1000, maxFiles: 3 }],
    [{ "max-file": "5" }, { maxBytes: 1000, maxFiles: 5 }],
    [{ "max-size": "2k" }, { maxBytes: 2048, maxFiles: 1 }],
  ])("%j falls back to what the service is set to", (options, log) =>
    expect(logOf(jsonFile(options), { maxBytes: 1000, maxFiles: 3 })).toEqual(log),
  );

  it("is not rotated where the service is set to no rotation", () => {
    expect(logOf(jsonFile({}), { maxBytes: 0, maxFiles: 3 }).maxBytes).toBeUndefined();
  });

  it("bounds the buffer for readers when no log is kept", () => {
    expect(logOf({ Type: "none", Config: {} })).toEqual({ maxBytes: 16 * 1024 * 1024, maxFiles: 2 });
  });
});

describe("logAttributes", () => {
  const config = someConfig({ Labels: { team: "a", tier: "b c", other: "x" }, Env: ["HOME=/x", "TOKEN=s=1", "BARE"] });
  it.each([
    [{}, []],
    [
      { labels: "team,absent", env: "TOKEN" },
      [
        ["TOKEN", "s=1"],
        ["team", "a"],
      ],
    ],
    [
      { "labels-regex": "^te", "env-regex": "^H" },
      [
        ["HOME", "/x"],
        ["team", "a"],
      ],
    ],
    [{ tag: "{{.Name}}/{{ .ImageName }}/{{.Odd}}" }, [["tag", "web/busybox/{{.Odd}}"]]],
  ])("%j", (options, attributes) => {
    const hostConfig = someHostConfig({ LogConfig: jsonFile(options) });
    expect(logAttributes(someContainer({ name: "web", image: "busybox", config, hostConfig }))).toEqual(attributes);
  });
});
