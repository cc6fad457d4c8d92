import { expect, it } from "vitest";
import { parseListen } from "./listen.ts";

it.each([
  ["127.0.0.1:7780", { host: "127.0.0.1", port: 7780 }],
  ["[::1]:2375", { host: "::1", port: 2375 }],
  ["[::ffff:127.0.0.1]:1", { host: "::ffff:127.0.0.1", port: 1 }],
  ["db_1.example.test:1", { host: "db_1.example.test", port: 1 }],
  ["localhost:65535", { host: "localhost", port: 65_535 }],
  ["0.0.0.0:0", { host: "0.0.0.0", port: 0 }],
])("parses %s", (text, address) => expect(parseListen(text)).toEqual(address));

it.each([
  ...["", "2375", ":2375", "host:", "host:65536", "host:-1", "host:1e3", "host:0x1", " host:1", "host:1 "],
  ...["::1:2375", "[::1]", "[host]:1", "[127.0.0.1]:1", "[::1%lo]:1", "[:::]:1"],
  ...[
    "a b:1",
    "*:1",
    "-a:1",
    "a-:1",
    "a..b:1",
    ".a:1",
    "999.1.1.1:1",
    "127.1:1",
    "0127.0.0.1:1",
    "http://host:1",
    "host/:1",
  ],
])("rejects %j", (text) => expect(parseListen(text)).toBeUndefined());
