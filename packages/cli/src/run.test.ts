import { expect, test } from "vitest";
import type { Terminal } from "./context.ts";
import { run } from "./run.ts";

let answer: Awaited<ReturnType<Terminal["engine"]>> = { status: 200, body: [] };
const asked: string[] = [];

/** Runs one command on a machine where no directory answers. */
async function berth(...line: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ["", ""];
  const terminal: Terminal = {
    engine: async (method, path) => {
      asked.push(`${method} ${path}`);
      return answer;
    },
    fetch: () => Promise.reject(new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") })),
    write: (text) => {
      out += text;
    },
    complain: (text) => {
      err += text;
    },
    readStdin: async () => "",
    open: async () => new Blob([]).stream(),
    ask: async () => undefined,
    recover: async (login) => ({ login, token: "bth_x" }),
    hasEngine: true,
    docker: async () => ({ code: undefined, output: "" }),
    sizeOf: async () => undefined,
    isTerminal: false,
    hostname: "laptop",
    pause: async () => undefined,
    folder: "/",
    env: {},
  };
  const code = await run(
    line,
    { url: "http://directory.test", version: "1.2.3", token: async () => "bth_x" },
    terminal,
  );
  return { code, out, err };
}

test.each([[[]], [["users"]], [["constraints"]], [["users", "--help"]]])("%j prints help", async (line) => {
  const { code, out } = await berth(...line);
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("berth users".slice(0, 5)) });
  expect(out).toContain("Commands:");
});

test("prints its version", async () => {
  expect(await berth("--version")).toEqual({ code: 0, out: "1.2.3\n", err: "" });
});

test.each([
  [["user"], "Did you mean users?"],
  [["users", "lst"], "Did you mean list?"],
  [["users", "list", "--nope"], "Unknown argument: nope\n"],
  [["constraints", "add", "--user", "ann", "--prots", "80"], "Unknown argument: prots. Did you mean --ports?"],
  [["explain", "ann", "--compse", "x"], "Did you mean --compose?"],
  [["users", "add"], "Not enough"],
  [["users", "set", "x", "--role", "boss"], "Invalid values"],
])("ends with 2 on %j and says %s", async (line, message) => {
  expect(await berth(...line)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
});

test("ends with 1 when the directory does not answer, and says why", async () => {
  expect(await berth("whoami")).toEqual({
    code: 1,
    out: "",
    err: "berth: the directory at http://directory.test does not answer: connect ECONNREFUSED\n",
  });
});

test("completes commands without a directory", async () => {
  expect((await berth("--get-yargs-completions", "berth", "users", "")).out).toContain("remove");
  expect((await berth("completion")).out).toContain("complete");
});

test("enforce shows what the engine stopped, or would stop", async () => {
  const found = {
    id: "ab",
    name: "web",
    owner: "1",
    login: "ann",
    reason: "denied by policy: x",
    outcome: "would-stop",
  };
  answer = { status: 200, body: [found] };
  expect(await berth("enforce", "--dry-run")).toEqual({
    code: 0,
    err: "",
    out: "LOGIN  NAME  OUTCOME     REASON\nann    web   would-stop  denied by policy: x\n",
  });
  expect(JSON.parse((await berth("enforce", "--yes", "--json")).out)).toEqual([found]);
  expect(asked.splice(0)).toEqual(["POST /berth/enforce?dryRun=true", "POST /berth/enforce?dryRun=false"]);
});

test("enforce asks first, and says why it was refused", async () => {
  expect(await berth("enforce")).toMatchObject({ code: 1, err: expect.stringContaining("add --yes") });
  expect(asked).toEqual([]);
  answer = { status: 503, body: { message: "the directory cannot be reached" } };
  expect(await berth("enforce", "--yes")).toMatchObject({ code: 1, err: "berth: the directory cannot be reached\n" });
  answer = { status: 200, body: [] };
  expect((await berth("enforce", "--yes")).out).toBe("Every running container is permitted.\n");
});

const HELD = [
  {
    kind: "lease",
    hostIp: "127.0.0.1",
    hostPorts: "53",
    protocol: "udp",
    containerPort: 5353,
    container: { id: "ab", name: "dns" },
    owner: "7",
    since: "2030-01-01T00:00:00Z",
  },
  {
    kind: "reservation",
    id: "r1",
    hostIp: "",
    hostPorts: "8000-8010",
    protocol: "tcp",
    claimant: { kind: "group", id: "3", name: "web" },
    since: "2030-01-02T00:00:00Z",
  },
];

test("lists who holds and who reserves ports, with ids where the directory does not answer", async () => {
  answer = { status: 200, body: HELD };
  expect((await berth("ports")).out).toBe(
    [
      "HOST          PROTOCOL  HOLDER                  OWNER   TO    SINCE",
      "127.0.0.1:53  udp       container dns           user 7  5353  2030-01-01T00:00:00Z",
      "8000-8010     tcp       reserved for group web  -       -     2030-01-02T00:00:00Z",
      "",
    ].join("\n"),
  );
  asked.length = 0;
});

test("gives up a reservation by its ports, and no other", async () => {
  answer = { status: 200, body: HELD };
  expect((await berth("ports", "unreserve", "8000-8010")).err).toContain("add --yes");
  asked.length = 0;
  expect(await berth("ports", "unreserve", "8000-8010", "--yes")).toMatchObject({
    code: 0,
    out: "8000-8010 is no longer reserved for group web.\n",
  });
  expect(asked.splice(0)).toEqual(["GET /berth/ports", "DELETE /berth/ports/reservations/r1"]);
  for (const line of [["8000"], ["8000-8010/udp"], ["8000-8010", "--interface", "127.0.0.1"], ["53/udp"]])
    expect(await berth("ports", "unreserve", ...line)).toMatchObject({
      code: 1,
      err: expect.stringContaining("is not reserved"),
    });
  asked.length = 0;
});

test.each([
  [["reserve", "8080:80", "--user", "ann"], "8080:80 is no host port: want 8080, 8000-8010 or 53/udp"],
  [["reserve", "127.0.0.1::80", "--user", "ann"], "is no host port"],
  [["reserve", "0", "--user", "ann"], "is no host port"],
  [["reserve", "8080"], "Say for whom with --user or --group."],
])("refuses ports %j and says %s", async (line, message) => {
  expect(await berth("ports", ...line)).toMatchObject({ code: 1, err: expect.stringContaining(message) });
  expect(asked).toEqual([]);
});

test("explain --here asks the engine of this host, and tells ports and what is in the way", async () => {
  asked.splice(0);
  const allowed = { decision: "allow", message: "", bypass: null, checks: [], ports: ["0.0.0.0:8080:80/tcp"] };
  answer = { status: 200, body: { ...allowed, conflict: null, warnings: ["nginx is not on this host"] } };
  expect(await berth("explain", "ann b", "--here", "--", "run", "-p", "8080:80", "nginx")).toEqual({
    code: 0,
    out: "allow\nports it would get now: 0.0.0.0:8080:80/tcp\n",
    err: "nginx is not on this host\n",
  });
  const conflict =
    "Bind for 0.0.0.0:8080 failed: port is already allocated: address already in use by process 7 (sshd)";
  answer = { status: 200, body: { ...allowed, ports: [], conflict, warnings: [] } };
  expect((await berth("explain", "--here", "--", "run", "-p", "8080:80", "nginx")).out).toBe(
    `allow, but a start would fail now: ${conflict}\n`,
  );
  const check = { kind: "host-ports", item: "80/tcp", outcome: "refuse", passing: ["1024-65535/tcp"], remedy: null };
  answer = { status: 200, body: { ...allowed, decision: "refuse", message: "denied by policy: x", checks: [check] } };
  expect((await berth("explain", "--here", "--", "run", "-p", "80:80", "nginx")).out).toMatch(
    /^refuse: denied by policy: x\n.*\nhost-ports {2}80\/tcp {2}1024-65535\/tcp/,
  );
  expect(asked.splice(0)).toEqual(["POST /berth/explain?user=ann%20b", ...Array(2).fill("POST /berth/explain")]);
  await berth("explain", "ann", "--here", "--place", "ci", "--", "run", "nginx");
  expect(asked.splice(0)).toEqual(["POST /berth/explain?user=ann&place=ci"]);
  expect((await berth("explain", "ann", "--place", "ci", "--", "run", "nginx")).err).toContain("--place needs --here");
});
