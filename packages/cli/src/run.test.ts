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
  [["users", "list", "--nope"], "Unknown argument: nope"],
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

test("lists published ports in their order", async () => {
  const ports = [
    { IP: "0.0.0.0", PublicPort: 8080, PrivatePort: 80, Type: "tcp" },
    { IP: "127.0.0.1", PublicPort: 53, PrivatePort: 5353, Type: "udp" },
    { PrivatePort: 443, Type: "tcp" },
  ];
  answer = { status: 200, body: [{ Names: ["/web"], Ports: ports }] };
  expect((await berth("ports")).out).toBe(
    "HOST          PROTOCOL  CONTAINER  TO\n127.0.0.1:53  udp       web        5353\n0.0.0.0:8080  tcp       web        80\n",
  );
});
