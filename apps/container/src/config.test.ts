import { describe, expect, it } from "vitest";
import { readConfig } from "./config.ts";

const TLS = { BERTH_TLS_LISTEN: "0.0.0.0:2376", BERTH_TLS_CERT: "c", BERTH_TLS_KEY: "k", BERTH_TLS_CA: "a" };
const TOKEN = { BERTH_DIRECTORY_TOKEN_FILE: "/token" };

describe("ways in", () => {
  it("are the administrators' socket alone unless told otherwise", () => {
    expect(readConfig({ BERTH_RUN: "/r", BERTH_TLS_CA: "" })).toMatchObject({
      socket: "/r/berth.sock",
      listen: undefined,
      tls: undefined,
      userSockets: [],
    });
  });
  it("are read", () => {
    const env = { ...TLS, ...TOKEN, BERTH_LISTEN: "[::1]:2375", BERTH_USER_SOCKETS: "ann, b.ob@example" };
    expect(readConfig(env)).toMatchObject({
      listen: { host: "::1", port: 2375 },
      tls: { listen: { host: "0.0.0.0", port: 2376 }, files: { cert: "c", key: "k", ca: "a", crl: undefined } },
      userSockets: ["ann", "b.ob@example"],
      directoryToken: { file: "/token", isRequired: true },
    });
  });
  it("need no token of their own but the one that the directory makes", () =>
    expect(readConfig({ ...TLS, BERTH_USER_SOCKETS: "ann", BERTH_STATE: "/s" })).toMatchObject({
      userSockets: ["ann"],
      directoryToken: { file: "/s/directory-token", isRequired: false },
    }));

  it.each<[Record<string, string>, string]>([
    [{ BERTH_LISTEN: "2375" }, "BERTH_LISTEN: want host:port"],
    [{ BERTH_LISTEN: "host:0" }, "BERTH_LISTEN: want host:port"],
    [{ BERTH_LISTEN: "host:65536" }, "BERTH_LISTEN: want host:port"],
    [{ ...TLS, ...TOKEN, BERTH_TLS_LISTEN: "" }, "BERTH_TLS_LISTEN: is missing"],
    [
      { ...TOKEN, BERTH_TLS_LISTEN: "host:1" },
      "BERTH_TLS_CERT: is missing: the file of the server's certificate\n" +
        "BERTH_TLS_KEY: is missing: the file of the certificate's key\n" +
        "BERTH_TLS_CA: is missing",
    ],
    [{ ...TLS, ...TOKEN, BERTH_TLS_CERT: "" }, "BERTH_TLS_CERT: is missing"],
    [{ ...TLS, ...TOKEN, BERTH_TLS_KEY: "" }, "BERTH_TLS_KEY: is missing"],
    [{ ...TLS, ...TOKEN, BERTH_TLS_CA: "" }, "BERTH_TLS_CA: is missing"],
    ...["../ann", "a/b", ".ann", "-ann", "ann,,bob", "ann,", "a\0b", "a b"].map(
      (names): [Record<string, string>, string] => [
        { ...TOKEN, BERTH_USER_SOCKETS: names },
        "BERTH_USER_SOCKETS: want",
      ],
    ),
    [{ ...TOKEN, BERTH_USER_SOCKETS: "ann,Ann" }, "BERTH_USER_SOCKETS: names a login twice"],
  ])("%j is refused", (env, message) => expect(() => readConfig(env)).toThrow(message));
});

describe("what may be unpacked", () => {
  it.each([
    ["", 2 ** 36],
    ["4096", 4096],
    ["3k", 3072],
    ["2M", 2 ** 21],
    ["64g", 2 ** 36],
    ["1t", 2 ** 40],
  ])("is %s: %i bytes", (text, layer) => expect(readConfig({ BERTH_LAYER_LIMIT: text }).quota.layer).toBe(layer));

  it.each(["-1", "1.5g", "g", "1gb", "9999999t", "many"])("is no %s", (text) => {
    expect(() => readConfig({ BERTH_DISK_RESERVE: text })).toThrow("BERTH_DISK_RESERVE: want a number of bytes");
  });
});

describe("invalid settings", () => {
  it.each<[Record<string, string>, string]>([
    [{ BERTH_SUBNET: "abc" }, "BERTH_SUBNET: want an IPv4 network of at least 8 addresses, such as 172.29.0.0/16"],
    [{ BERTH_SUBNET: "fd00::/64" }, "BERTH_SUBNET: want an IPv4 network"],
    [{ BERTH_SUBNET6: "10.0.0.0/16" }, "BERTH_SUBNET6: want auto, or an IPv6 network of at least 8 unicast addresses"],
    [{ BERTH_SUBNET6: "fe80::/64" }, "BERTH_SUBNET6: want auto"],
    [{ BERTH_SUBNET: "10.0.0.0/30" }, "BERTH_SUBNET: want an IPv4 network of at least 8 addresses"],
    [{ BERTH_STATE: "state" }, "BERTH_STATE: want the absolute path"],
    [{ BERTH_RUN: "run" }, "BERTH_RUN: want the absolute path"],
    [{ BERTH_POOL: "many" }, "BERTH_POOL: want a whole number from 0 to 256"],
    [{ BERTH_POOL: "1.5" }, "BERTH_POOL: want a whole number from 0 to 256"],
    [{ BERTH_FLEET_ADDRESS: "http://h1:2375" }, "BERTH_FLEET_ADDRESS: want the address that Docker clients connect to"],
    [{ BERTH_FLEET_ADDRESS: "tcp://h1" }, "BERTH_FLEET_ADDRESS: want the address that Docker clients connect to"],
    [{ BERTH_DYNAMIC_PORTS: "2-1" }, "BERTH_DYNAMIC_PORTS: want first-last"],
    [{ BERTH_DYNAMIC_PORTS: "1-65536" }, "BERTH_DYNAMIC_PORTS: want first-last"],
    [{ BERTH_DIRECTORY_URL: "alpha:7780" }, "BERTH_DIRECTORY_URL: want http:// or https:// and a host"],
    [{ BERTH_REGISTRY_MIRROR: "mirror" }, "BERTH_REGISTRY_MIRROR: want http:// or https:// and a host"],
    [{ HTTPS_PROXY: "http://" }, "HTTPS_PROXY: want http:// or https:// and a host"],
    [{ DATABASE_URL: "mysql://host/berth" }, "DATABASE_URL: want the URL of a Postgres"],
    [{ BERTH_DEFAULT_HOST_IP: "localhost" }, "BERTH_DEFAULT_HOST_IP: want an IP address"],
    [
      { BERTH_INSECURE_REGISTRIES: "a:5000,http://b" },
      'want host[:port] or CIDR blocks with commas between them, and "http://b"',
    ],
    [{ BERTH_SOCKET: "berth.sock" }, "BERTH_SOCKET: want an absolute path"],
    [{ BERTH_SOCKET: `/${"x".repeat(107)}` }, "BERTH_SOCKET: makes the socket's path 108 bytes long"],
    [{ BERTH_RUN: `/${"x".repeat(100)}` }, "BERTH_RUN: makes the socket's path 112 bytes long"],
    [{ BERTH_LOG_LEVEL: "silent" }, "BERTH_LOG_LEVEL: want debug, info, warn or error"],
    ...[" ", "1e2", "0x10", " 5", "5\n", "+3", "-0", "1.0"].map((text): [Record<string, string>, string] => [
      { BERTH_POOL: text },
      "BERTH_POOL: want a whole number from 0 to 256",
    ]),
    ...["/", "//", "/x/..", "/a\nb", "/a:b", "/a,b", "/it's", "/a\\b"].flatMap(
      (text): [Record<string, string>, string][] => [
        [{ BERTH_STATE: text }, "BERTH_STATE: want the absolute path of a folder for Berth alone"],
        [{ BERTH_RUN: text }, "BERTH_RUN: want the absolute path of a folder for Berth alone"],
      ],
    ),
    ...["0.0.0.0/0", "0.0.0.0/8", "10.0.0.0/7", "127.0.0.0/8", "169.254.1.0/24", "224.0.0.0/8", "240.0.0.0/16"].map(
      (text): [Record<string, string>, string] => [{ BERTH_SUBNET: text }, "BERTH_SUBNET: want an IPv4 network"],
    ),
    ...["docker", "br", "eth", "filter", "moby", "default"].map((text): [Record<string, string>, string] => [
      { BERTH_INSTANCE: text },
      "BERTH_INSTANCE: want a name that no other program uses",
    ]),
    ...["http://h/berth", "http://h?x", "http://u:p@h", "http://h:0", "http:///h", "http://h h", "http:\\\\h"].map(
      (text): [Record<string, string>, string] => [
        { BERTH_DIRECTORY_URL: text },
        "BERTH_DIRECTORY_URL: want http:// or https:// and a host",
      ],
    ),
    [{ BERTH_REGISTRY_MIRROR: "https://u:p@mirror" }, "BERTH_REGISTRY_MIRROR: want http:// or https:// and a host"],
    [{ HTTP_PROXY: "http://proxy/path" }, "HTTP_PROXY: want http:// or https:// and a host"],
    [
      { BERTH_INSECURE_REGISTRIES: "a:99999" },
      'want host[:port] or CIDR blocks with commas between them, and "a:99999"',
    ],
    [{ BERTH_BUILDKIT: "unix:///run/{user}.sock" }, "BERTH_BUILDKIT: want the socket of a Docker engine"],
    ...[
      "unix:///{login}/{login}",
      "tcp://host:2375",
      "tcp://10.0.0.1:1234",
      "tcp://127.0.0.1",
      "tcp://127.0.0.1:0",
    ].map((text): [Record<string, string>, string] => [
      { BERTH_BUILDKIT: text },
      "BERTH_BUILDKIT: want the socket of a Docker engine",
    ]),
    [{ BERTH_DIRECTORY_TOKEN_FILE: "token" }, "BERTH_DIRECTORY_TOKEN_FILE: want an absolute path"],
    [{ DATABASE_URL: "postgres://u:p%zz@h/d" }, "DATABASE_URL: want the URL of a Postgres"],
  ])("%j is refused", (env, message) => expect(() => readConfig(env)).toThrow(message));

  it.each([
    ["unix:///run/buildkit/{login}.sock", { kind: "socket", path: "/run/buildkit/{login}.sock" }],
    ["tcp://127.0.0.1:1234", { kind: "tcp", host: "127.0.0.1", port: 1234 }],
    ["tcp://[::1]:1234", { kind: "tcp", host: "::1", port: 1234 }],
  ])("name a BuildKit: %s", (text, address) => expect(readConfig({ BERTH_BUILDKIT: text }).buildKit).toEqual(address));

  it("are all named at once", () => {
    const env = { BERTH_SUBNET: "abc", BERTH_POOL: "x", BERTH_TLS_LISTEN: "host:1", BERTH_LISTEN: "1" };
    expect(() => readConfig(env)).toThrow(
      expect.objectContaining({
        faults: [
          expect.stringContaining("BERTH_LISTEN: want"),
          expect.stringContaining("BERTH_SUBNET: want"),
          expect.stringContaining("BERTH_POOL: want"),
          expect.stringContaining("BERTH_TLS_CERT: is missing"),
          expect.stringContaining("BERTH_TLS_KEY: is missing"),
          expect.stringContaining("BERTH_TLS_CA: is missing"),
        ],
      }),
    );
  });

  it("are not the forms of a database's URL and of registries", () => {
    const DATABASE_URL = "postgresql://berth:secret@db.example.test:5432/berth?sslmode=require";
    const names = ["registry", "registry.example.test:5000", "10.0.0.0/8", "[::1]:5000", "fd00::/8"];
    expect(readConfig({ DATABASE_URL, BERTH_INSECURE_REGISTRIES: names.join(", ") })).toMatchObject({
      databaseUrl: DATABASE_URL,
      insecureRegistries: names,
    });
  });

  it("are not the forms of the URLs of a directory, a mirror and a proxy", () => {
    const urls = {
      BERTH_DIRECTORY_URL: "https://directory.example.test:7780/",
      BERTH_REGISTRY_MIRROR: "https://mirror.example.test/hub/",
      HTTP_PROXY: "http://user:pass@proxy.example.test:3128",
    };
    expect(readConfig(urls)).toMatchObject({
      directoryUrl: urls.BERTH_DIRECTORY_URL,
      registryMirror: urls.BERTH_REGISTRY_MIRROR,
      proxy: { http: urls.HTTP_PROXY },
    });
  });

  it("are none where a setting is set to nothing", () => {
    expect(readConfig({ BERTH_SUBNET: "", BERTH_DYNAMIC_PORTS: "100-200" })).toMatchObject({
      subnet: "172.29.0.0/16",
      dynamicPorts: { start: 100, end: 200 },
    });
  });
});
