import { describe, expect, it } from "vitest";
import { parseBuildQuery, parseRegistryConfig } from "./build-query.ts";

function decoded(
  query: Readonly<Record<string, string>>,
  lists: { t?: string[]; extrahosts?: string[]; securityopt?: string[] } = {},
) {
  return parseBuildQuery(query, { t: [], extrahosts: [], securityopt: [], ...lists });
}

describe("the query of a build", () => {
  it("has dockerd's defaults", () =>
    expect(decoded({})).toMatchObject({
      tags: [],
      cache: "use",
      pull: "missing",
      output: "all",
      networkMode: "default",
      args: {},
      labels: {},
      cacheFrom: [],
    }));

  it.each<[Readonly<Record<string, string>>, object]>([
    [
      { nocache: "1", pull: "true", q: "yes" },
      { cache: "ignore", pull: "always", output: "id" },
    ],
    [{ buildargs: '{"A":"b","C":null}' }, { args: { A: "b", C: null } }],
    [
      { labels: '{"a.b/c":"d e"}', cachefrom: '["x"]' },
      { labels: { "a.b/c": "d e" }, cacheFrom: ["x"] },
    ],
    [
      { buildargs: "null", labels: "null", cachefrom: "null", ulimits: "null" },
      { args: {}, labels: {}, cacheFrom: [] },
    ],
    [{ memory: "1048576", memswap: "-1", cpusetcpus: "0-3,5" }, { resources: { memory: 1048576, memorySwap: -1 } }],
    [
      { ulimits: '[{"Name":"nofile","Soft":1,"Hard":2}]' },
      { resources: { ulimits: [{ Name: "nofile", Soft: 1, Hard: 2 }] } },
    ],
    [
      { version: "1", isolation: "default", outputs: '[{"Type":"image"}]' },
      { output: "all", builder: "classic" },
    ],
    [
      { version: "2", session: "s", remote: "client-session", outputs: '[{"Type":"tar","Attrs":{"a":"b"}}]' },
      { builder: "buildkit", session: "s", outputs: [{ type: "tar", attributes: { a: "b" } }] },
    ],
  ])("%j", (query, expected) => expect(decoded(query)).toMatchObject(expected));

  it("takes several names", () => expect(decoded({}, { t: ["a", "", "b:1"] }).tags).toEqual(["a", "b:1"]));

  it.each<[Readonly<Record<string, string>>, string, string]>([
    [{ version: "3" }, "invalid", "want 1 or 2"],
    [{ squash: "1" }, "invalid", "experimental"],
    [{ isolation: "hyperv" }, "invalid", "isolation"],
    [{ cgroupparent: "/x" }, "unsupported", "control group of its own"],
    [{ outputs: '[{"Type":"local"}]' }, "unsupported", "needs BuildKit"],
    [{ outputs: "{" }, "invalid", "outputs"],
    [{ buildargs: "{" }, "invalid", "query parameter buildargs"],
    [{ buildargs: '{"A":1}' }, "invalid", "query parameter buildargs"],
    [{ buildargs: '{"A B":"c"}' }, "invalid", "is no name"],
    [{ labels: "[]" }, "invalid", "query parameter labels"],
    [{ labels: '{"a=b":"c"}' }, "invalid", "is no name"],
    [{ memory: "lots" }, "invalid", "memory"],
    [{ memory: "-5" }, "invalid", "negative"],
    [{ cpusetcpus: "0;1" }, "invalid", "want a list"],
    [{ ulimits: '[{"Name":1}]' }, "invalid", "query parameter ulimits"],
  ])("%j is refused", (query, kind, message) => {
    const refusal = expect.objectContaining({ kind, message: expect.stringContaining(message) });
    expect(() => decoded(query)).toThrow(refusal);
  });

  it("takes no security options", () =>
    expect(() => decoded({}, { securityopt: ["seccomp=unconfined"] })).toThrow("security options"));
});

describe("X-Registry-Config", () => {
  const header = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");
  it("has credentials by registry", () =>
    expect(parseRegistryConfig(header({ "r.example": { username: "ann", password: "x" } }))).toEqual({
      "r.example": { username: "ann", password: "x" },
    }));
  it.each([undefined, "", "!", header([]), header({ r: 1 })])("%s means no login", (value) =>
    expect(parseRegistryConfig(value)).toEqual({}),
  );
});
