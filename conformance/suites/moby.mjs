// moby's own tests of its API, from a checkout of v28.5.2. Those that start a daemon of their own find none, and fail on both.
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { loadBusybox } from "../../scripts/busybox.mjs";
import { inside } from "./inside.mjs";

const run = promisify(execFile);
const PACKAGES = [
  ...["container", "network", "network/bridge", "networking", "volume", "image", "system"].map(
    (name) => `integration/${name}`,
  ),
  "integration-cli",
];
const SECONDS_PER_TEST = 90;
/** A test for daemons of its own; it takes away the link `docker0`, which is the default bridge of the engine under test. */
const LEFT_OUT = new Set(["integration/network/bridge TestFilterForwardPolicy"]);

const GROUPS =
  "root:x:0:\ndaemon:x:1:\nbin:x:2:\nmail:x:8:\nwheel:x:10:root\naudio:x:29:\nwww-data:x:33:\nstaff:x:50:\nnogroup:x:65534:\n";

/** What Docker Hub's busybox has, and the machine's lacks: more groups, and commands that make users, as moby's tests call them. */
const FILES = [
  { name: "etc/group", mode: 0o644, content: GROUPS },
  script("bin/addgroup", 'echo "$3:x:$2:" >>/etc/group'),
  script("bin/adduser", 'echo "$6:x:$3:$(grep "^$5:" /etc/group | cut -d: -f3)::/home:/bin/sh" >>/etc/passwd'),
];

/** The images that the tests expect; each has its own id, so that the removal of one name takes no other. */
const IMAGES = {
  "busybox:latest": { files: FILES },
  "busybox:glibc": { files: [...FILES, { name: "etc/issue", mode: 0o644, content: "glibc\n" }] },
  "hello-world:frozen": hello("frozen"),
  "hello-world:amd64": { ...hello("amd64"), architecture: "amd64" },
  "hello-world:arm64": { ...hello("arm64"), architecture: "arm64" },
  "arm32v7/hello-world:latest": { ...hello("arm"), architecture: "arm" },
  "debian:bookworm-slim": { files: [...FILES, { name: "etc/debian_version", mode: 0o644, content: "12.0\n" }] },
};

function script(name, line) {
  return { name, mode: 0o755, content: `#!/bin/sh\n${line}\n` };
}

function hello(word) {
  return { files: [script("hello", `echo "Hello from Docker!" ${word}`)], command: ["/hello"] };
}

/**
 * Builds the tests once: a program per package, beside its sources, where the tests look for their files.
 * @param {string} checkout
 */
export async function buildMoby(checkout) {
  const env = { ...process.env, CGO_ENABLED: "0", GOTOOLCHAIN: "local", GOFLAGS: "-mod=vendor" };
  // moby of that version keeps its module's files under another name.
  await run("sh", ["-c", "cp vendor.mod go.mod && cp vendor.sum go.sum"], { cwd: checkout });
  const folder = mkdtempSync(join(tmpdir(), "berth-moby-"));
  const overlay = reachableFileServer(checkout, folder);
  for (const name of PACKAGES) {
    if (existsSync(join(checkout, name, "berth.test"))) continue;
    await run("go", ["test", "-c", "-overlay", overlay, "-o", `${name}/berth.test`, `./${name}`], {
      cwd: checkout,
      env,
    });
  }
  rmSync(folder, { recursive: true });
}

/**
 * The tests' file server listens on loopback, where a dockerd finds it that fetches by itself. A build's network does not have the host's
 * loopback, so it listens on an address that both reach.
 * @returns {string} what has the compiler read a changed file for it
 */
function reachableFileServer(checkout, folder) {
  const source = join(checkout, "testutil/fakestorage/storage.go");
  const changed = join(folder, "storage.go");
  const before = "server := httptest.NewServer(handler)";
  const text = readFileSync(source, "utf8");
  if (!text.includes(before)) throw new Error(`${source} has no ${before}`);
  const after = [
    'listener, err := net.Listen("tcp", net.JoinHostPort(os.Getenv("FILE_SERVER_ADDRESS"), "0"))',
    "if err != nil { panic(err) }",
    "server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: handler}}",
    "server.Start()",
  ];
  writeFileSync(changed, text.replace('"net/http"', '"net"\n"net/http"').replace(before, after.join("\n")));
  const overlay = join(folder, "overlay.json");
  writeFileSync(overlay, JSON.stringify({ Replace: { [source]: changed } }));
  return overlay;
}

/**
 * Each test in a process of its own, so that one which panics or hangs takes no other with it.
 * @param {import("./inside.mjs").Engine} engine
 * @param {{ checkout: string, folder: string, client: string, only?: RegExp }} where `folder` keeps the results, `client` is the
 *   Docker CLI that the tests call, `only` names the tests to run
 * @returns {Promise<import("./inside.mjs").Outcomes>}
 */
export async function runMoby(engine, { checkout, folder, client, only = /./ }) {
  const env = {
    TEST_CLIENT_BINARY: client,
    DOCKER_CONFIG: folder,
    TEST_INTEGRATION_USE_SNAPSHOTTER: "1",
    // Where a daemon of a test's own would keep its files: without it the test fails at once.
    DOCKER_INTEGRATION_DAEMON_DEST: "",
    DEST: "",
    FILE_SERVER_ADDRESS: await engine.docker(
      ...["network", "inspect", "bridge", "--format", "{{(index .IPAM.Config 0).Gateway}}"],
    ),
  };
  /** @type {import("./inside.mjs").Outcomes} */
  const outcomes = new Map();
  for (const [name, more] of Object.entries(IMAGES)) await loadBusybox(`unix:${engine.socket}`, name, more);
  for (const name of PACKAGES)
    for (const test of testsOf(join(checkout, name))) {
      if (!only.test(`${name} ${test}`) || LEFT_OUT.has(`${name} ${test}`)) continue;
      const log = join(folder, `${name} ${test}.log`.replaceAll("/", "_"));
      const pattern = test
        .split("/")
        .map((part) => `^${part}$`)
        .join("/");
      const ended = await inside(engine, {
        command: ["./berth.test", "-test.v", "-test.run", pattern],
        cwd: join(checkout, name),
        env,
        log,
        seconds: SECONDS_PER_TEST,
      });
      for (const [leaf, outcome] of read(log, test, ended)) outcomes.set(`${name} ${leaf}`, outcome);
      await restore(engine);
    }
  return outcomes;
}

/** A test may take an image's name, and may leave containers behind that hold ports. */
async function restore(engine) {
  const left = await engine.docker("ps", "-aq");
  if (left !== "") await engine.docker("rm", "-fv", ...left.split("\n")).catch(() => undefined);
  const names = new Set((await engine.docker("images", "--format", "{{.Repository}}:{{.Tag}}")).split("\n"));
  for (const [name, more] of Object.entries(IMAGES))
    if (!names.has(name)) await loadBusybox(`unix:${engine.socket}`, name, more);
}

/** The tests of a package's sources, in their order: functions, and the methods of the API's suite. */
function testsOf(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith("_test.go") && !name.includes("windows"));
  return files.flatMap((file) => {
    const source = readFileSync(join(folder, file), "utf8");
    const methods = source.matchAll(/^func \(s \*DockerAPISuite\) (Test\w+)\(/gm);
    if (folder.endsWith("integration-cli")) return [...methods].map(([, name]) => `TestDockerAPISuite/${name}`);
    return [...source.matchAll(/^func (Test(?!Main\()\w+)\(t \*testing\.T/gm)].map(([, name]) => name);
  });
}

/** The outcome of each test that has no tests below it. */
function read(log, test, ended) {
  const said = readFileSync(log, "utf8");
  const lines = [...said.matchAll(/^ *--- (PASS|FAIL|SKIP): (\S+) \(/gm)].map(([, outcome, name]) => [name, outcome]);
  if (lines.length === 0 && !/no tests to run/.test(said)) return [[test, { passed: false, message: ended }]];
  return lines
    .filter(([name]) => !lines.some(([other]) => other.startsWith(`${name}/`)))
    .filter(([, outcome]) => outcome !== "SKIP")
    .map(([name, outcome]) => [plain(name), { passed: outcome === "PASS", message: messageOf(said, name) }]);
}

/** A name without what differs from run to run: ids, addresses and the numbers of temporary folders. */
function plain(name) {
  return name
    .replaceAll(/[0-9a-f]{64}/g, "ID")
    .replaceAll(/0x[0-9a-f]+/g, "0x")
    .replaceAll(/\d{6,}/g, "N");
}

/** What a failed test said: its lines are between its own heading and the next one. */
function messageOf(said, name) {
  const [, after = ""] = said.split(`=== RUN   ${name}\n`);
  const [own = ""] = after.split(/^ *(?:=== RUN|--- )/m);
  return own.replaceAll(/\s+/g, " ").trim().slice(0, 200);
}
