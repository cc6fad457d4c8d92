import { describe, expect, it } from "vitest";
import { someConfig, someContainer, someHostConfig } from "../records/container.testing.ts";
import { linkNames, linkTarget, parseLink } from "../records/links.ts";
import { linkEnvironment, linkHosts } from "./links.ts";

describe("parseLink", () => {
  it.each([
    ["db", { ref: "db", alias: "db" }],
    ["db:store", { ref: "db", alias: "store" }],
    ["/db:/web/store", { ref: "/db", alias: "store" }],
  ])("reads %s", (link, parsed) => expect(parseLink(link)).toEqual(parsed));
  it.each(["", ":a", "a:b:c", "a:"])("rejects %j", (link) =>
    expect(() => parseLink(link)).toThrow("bad format for links"),
  );
});

describe("a link", () => {
  const db = someContainer({
    name: "db",
    config: someConfig({ Hostname: "abc", Env: ["PATH=/bin", "USER=app", "GONE"] }),
    ports: { exposed: ["5432/tcp", "53/udp"], wishes: [] },
  });

  it("sets variables", () => {
    expect(linkEnvironment(someContainer(), db, "my-db", "10.0.0.2")).toEqual([
      "MY_DB_PORT=udp://10.0.0.2:53",
      "MY_DB_PORT_5432_TCP=tcp://10.0.0.2:5432",
      "MY_DB_PORT_5432_TCP_ADDR=10.0.0.2",
      "MY_DB_PORT_5432_TCP_PORT=5432",
      "MY_DB_PORT_5432_TCP_PROTO=tcp",
      "MY_DB_PORT_53_UDP=udp://10.0.0.2:53",
      "MY_DB_PORT_53_UDP_ADDR=10.0.0.2",
      "MY_DB_PORT_53_UDP_PORT=53",
      "MY_DB_PORT_53_UDP_PROTO=udp",
      "MY_DB_NAME=/web/my-db",
      "MY_DB_ENV_USER=app",
    ]);
  });

  it("adds a line to the hosts file", () => expect(linkHosts(db, "my-db", "10.0.0.2")).toBe("10.0.0.2\tmy-db abc db"));
});

describe("names by links", () => {
  const target = someContainer({ name: "db" });
  const linking = someContainer({
    name: "web",
    hostConfig: someHostConfig({ Links: ["/db:/web/store", "/x:/web/y"] }),
  });
  it("are those of the containers of the same owner that link to it", () => {
    expect(linkNames(target, [linking])).toEqual(["web/store"]);
    expect(linkNames({ ...target, owner: "7" }, [linking])).toEqual([]);
  });
  it.each([
    ["store", "/db"],
    ["y", "/x"],
    ["db", undefined],
  ])("lead to the target, %s", (alias, name) => expect(linkTarget(linking, alias)).toBe(name));
});
