import { afterEach, expect, test } from "vitest";
import type { AskEngine } from "../host/engine.ts";
import { run } from "../run.ts";
import { secondsOf } from "./duration.ts";

const PLACE = {
  id: "7@ci",
  name: "ci",
  user: { id: "7", login: "ann" },
  memory: 4 * 2 ** 30,
  cpus: 1.5,
  pids: 1024,
  ports: ["8080/tcp"],
  state: "ready",
  since: "2030-01-01T00:00:00Z",
  until: null,
  containers: 2,
};
const OTHER = { ...PLACE, id: "8@ci", user: { id: "8", login: "bob" }, ports: [], containers: 0 };

const ASKED: unknown[] = [];
afterEach(() => void ASKED.splice(0));

/** Runs `berth places` beside an engine that has these places, and a directory that knows ann alone. */
async function berth(places: readonly object[], ...line: readonly string[]) {
  const said = { out: "", err: "" };
  const engine: AskEngine = async (method, path, body) => {
    ASKED.push([method, path, ...(body === undefined ? [] : [body])]);
    return { status: 200, body: method === "GET" ? places : { ...PLACE, containers: undefined } };
  };
  const terminal = {
    fetch: async () => Response.json({ id: 7, login: "ann", role: "admin", scopes: [], tokenId: null }),
    write: (text: string) => {
      said.out += text;
    },
    complain: (text: string) => {
      said.err += text;
    },
    readStdin: async () => "",
    open: async () => new ReadableStream<Uint8Array>(),
    ask: async () => undefined,
    recover: async () => ({ login: "", token: "" }),
    engine,
    hasEngine: true,
    docker: async () => ({ code: undefined, output: "" }),
    sizeOf: async () => undefined,
    isTerminal: false,
    hostname: "laptop",
    pause: async () => undefined,
    folder: "/",
    env: {},
  };
  const settings = { url: "http://directory.test", version: "0", token: async () => "bth_x" };
  return { code: await run(["places", ...line], settings, terminal), ...said };
}

test("lists places with what is left of their time", async () => {
  const ending = { ...OTHER, name: "job", state: "ending", until: new Date(Date.now() + 5_400_500).toISOString() };
  const { out } = await berth([PLACE, ending]);
  const lines = out.split("\n").map((line) => line.trim().split(/\s{2,}/));
  expect(lines[1]).toEqual(["ci", "ann", "ready", "4096m", "1.5", "1024", "8080/tcp", "until given back", "2"]);
  expect(lines[2]).toEqual(["job", "bob", "ending", "4096m", "1.5", "1024", "-", "1h 30m", "0"]);
});

test("takes a place for a user by its login", async () => {
  const line = [
    "--user",
    "ann",
    "--memory",
    "4g",
    "--cpus",
    "1.5",
    "--port",
    "8080,53/udp",
    "--port",
    "90",
    "--for",
    "2h",
  ];
  expect(await berth([], "take", "ci", ...line)).toMatchObject({ code: 0, err: "" });
  const body = { name: "ci", user: "7", memory: 4 * 2 ** 30, cpus: 1.5, pids: 1024, seconds: 7_200 };
  expect(ASKED).toEqual([["POST", "/berth/places", { ...body, ports: ["8080", "53/udp", "90"] }]]);
});

test("extends a place, and gives it back once that is confirmed", async () => {
  expect((await berth([PLACE], "extend", "ci", "--for", "1h30m")).code).toBe(0);
  expect(ASKED.at(-1)).toEqual(["POST", "/berth/places/7@ci/extend", { seconds: 5_400 }]);
  expect((await berth([PLACE], "give", "ci")).err).toContain("with 2 containers and all volumes and images in it?");
  expect((await berth([PLACE, OTHER], "give", "bob/ci", "--yes")).out).toBe("Gave place ci of bob back.\n");
  expect(ASKED.filter((one) => String(one).startsWith("DELETE"))).toEqual([["DELETE", "/berth/places/8@ci"]]);
});

test.each<[readonly string[], string]>([
  [["give", "ci", "--yes"], "ci is ambiguous: use ann/ci or bob/ci."],
  [["give", "other", "--yes"], "There is no place other on this host"],
  [["extend", "ann/ci", "--for", "soon"], "--for soon: want a time such as 30m, 2h or 1h30m"],
  [
    ["take", "ci", "--user", "ann", "--memory", "much", "--cpus", "1"],
    "--memory much: want an amount such as 512m or 4g",
  ],
])("refuses %j and says %s", async (line, message) => {
  expect(await berth([PLACE, OTHER], ...line)).toMatchObject({ code: 1, err: expect.stringContaining(message) });
  expect(ASKED.filter((one) => !String(one).startsWith("GET"))).toEqual([]);
});

test.each(["", "0s", "2", "h", "1h 30m", "-1h", "1.5h", "2w"])("reads no time in %j", (text) => {
  expect(() => secondsOf(text)).toThrow("want a time");
});
