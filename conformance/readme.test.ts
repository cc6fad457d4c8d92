import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Typed, terminalSvg } from "../tools/terminal-svg.ts";
import { openReader, type Reader } from "./reader.testing.ts";
import { type Documented, documentedCommands, patternOf } from "./readme.testing.ts";

// The README's session and the examples, run as a reader would.

const ROOT = resolve(import.meta.dirname, "..");
const README = readFileSync(join(ROOT, "README.md"), "utf8");
const commands = documentedCommands(README);

let reader: Reader;
let started = "";
let printed: readonly string[] = [];

/** Commands for the recording of the terminal, by how they start: what a limited user may do, and what was refused. */
const RECORDED = [
  "berth constraints add --user ann",
  "docker run -d -p 9000:80",
  "docker run -d --privileged",
  "docker run -d -P",
  "docker ps --format '{{.Ports}}'",
  "berth audit --user ann",
];

function recorded({ command }: Documented, index: number): readonly Typed[] {
  if (!RECORDED.some((start) => command.startsWith(start))) return [];
  // The CLI closes a refusal with an advice.
  return [
    {
      command,
      output: (printed[index] ?? "").replace(/\n+Run 'docker run --help'.*\n?|\nSee 'docker run --help'.*\n?/, ""),
    },
  ];
}

/** A token is put where the README says to put it. */
function storeToken(command: string): string {
  return command.startsWith("berth tokens add")
    ? `printf '{"HttpHeaders": {"Authorization": "Bearer %s"}}' "$(grep -o 'bth_[A-Za-z0-9_-]*' "$HOME/output" | head -1)" >~/.docker/config.json`
    : "";
}

function inside(script: string): Promise<string> {
  return reader.inside(script);
}

beforeAll(async () => {
  reader = await openReader("br");
  started = await inside("npm start");
  printed = await reader.session(
    commands.map(({ command }) => command),
    storeToken,
  );
  if (process.env.BERTH_PICTURES !== undefined)
    writeFileSync(join(process.env.BERTH_PICTURES, "terminal.svg"), terminalSvg(commands.flatMap(recorded)));
}, 600_000);

afterAll(async () => {
  await reader.purge().finally(reader.leave);
}, 120_000);

/** A block of the page that is no session; `before` is the text that leads to it. */
function block(before: string): string {
  const text = README.slice(README.indexOf(before));
  return /^```\n([\s\S]*?)^```$/m.exec(text)?.[1] ?? `no block after ${before}`;
}

describe("README.md prints what these commands print", () => {
  test("npm start", () => {
    // How long it took follows. A machine without the docker command is told how to get it.
    const told = started.replace(/^ +\(no docker command here.*\n/m, "");
    expect(told).toMatch(patternOf(`…${reader.here(block("`npm start` ends with"))}…`));
  });

  test("the first example", () => {
    const [example = "", ...output] = block("# Berth").split("\n");
    const at = commands.findIndex(({ command }) => `$ ${command}` === example);
    expect(printed[at]).toMatch(patternOf(`${output.join("\n")}…`));
  });

  test.each(commands.map((one, index) => ({ ...one, index })))("$command", ({ output, index }) => {
    expect(printed[index]).toMatch(patternOf(reader.here(output)));
  });
});

describe("examples", { timeout: 120_000 }, () => {
  test("docker-py", async () => {
    expect(await inside("/usr/bin/python3 examples/docker-py/web.py")).toBe("hello from docker-py\n");
  });

  test("dockerode", async () => {
    const output = (await inside("node examples/dockerode/web.mjs")).replaceAll("\r", "");
    expect(output).toBe("hello from dockerode\nexit code 3\ncreate attach start die destroy\n");
  });

  test("compose", async () => {
    const compose = "docker-compose --no-ansi -p example -f examples/compose/compose.yml";
    await inside(`${compose} up -d`);
    expect(await inside("curl -s http://127.0.0.1:8090/")).toBe("hello from compose\n");
    await inside(`${compose} down -v -t 0`);
  });

  test("directory", async () => {
    const output = await inside("bash examples/directory/first-user.sh");
    expect(output).toBe("port 8080: allow\nport 9000: refuse\n");
  });

  test("port-spec", async () => {
    const script =
      'import("./examples/port-spec/ports.mjs").then(({ explain }) => console.log(explain(process.argv[1])))';
    const explain = (text: string) => inside(`node -e '${script}' ${text}`);
    expect(await explain("127.0.0.1:8080:80/UDP")).toMatch(/^127\.0\.0\.1:8080:80\/udp\n/);
    expect(await explain("8080:http")).toMatch(/^8080:http\n {5}\^ invalid containerPort: http; expected /);
  });
});
