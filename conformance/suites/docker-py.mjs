// docker-py's own integration tests, from a checkout of the release that Debian's python3-docker has.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { inside } from "./inside.mjs";

// Swarm and plugins are no part of a container service.
const LEFT_OUT = /^(api|models)_(swarm|service|services|nodes|secret|config|plugin)_test\.py$/;
const SECONDS_PER_TEST = 60;

/**
 * @param {import("./inside.mjs").Engine} engine
 * @param {{ checkout: string, folder: string, apiVersion: string }} where `folder` keeps the results
 * @returns {Promise<import("./inside.mjs").Outcomes>}
 */
export async function runDockerPy(engine, { checkout, folder, apiVersion }) {
  // Its configuration makes an error of every warning, and Python 3.11 warns of a module that it uses.
  writeFileSync(
    join(folder, "warnings_stay.py"),
    'import warnings\n_set = warnings.simplefilter\nwarnings.simplefilter = lambda action, *a, **k: None if action == "error" else _set(action, *a, **k)\n',
  );
  // Without a configuration of its own it keeps contexts in the checkout, from run to run.
  mkdirSync(join(folder, "config"));
  writeFileSync(join(folder, "config/config.json"), "{}");
  const env = {
    PYTHONPATH: folder,
    DOCKER_CONFIG: join(folder, "config"),
    PYTHONDONTWRITEBYTECODE: "1",
    DOCKER_TEST_API_VERSION: apiVersion,
  };
  /** @type {import("./inside.mjs").Outcomes} */
  const outcomes = new Map();
  const files = readdirSync(join(checkout, "tests/integration")).filter(
    (name) => name.endsWith("_test.py") && !LEFT_OUT.test(name),
  );
  for (const file of files) {
    await tagImages(engine);
    const report = join(folder, `${file}.xml`);
    const options = ["-q", "-p", "no:cacheprovider", "-p", "warnings_stay", "--timeout", String(SECONDS_PER_TEST)];
    const ended = await inside(engine, {
      command: ["/usr/bin/python3", "-m", "pytest", ...options, "--junitxml", report, `tests/integration/${file}`],
      cwd: checkout,
      env,
      log: join(folder, `${file}.log`),
      seconds: SECONDS_PER_TEST * 20,
    });
    for (const [name, outcome] of read(report, ended)) outcomes.set(`${basename(file, "_test.py")} ${name}`, outcome);
  }
  return outcomes;
}

/** Images by the names that the tests pull; a second name keeps the image where a test removes the first. */
async function tagImages(engine) {
  const names = ["busybox:latest", "alpine:3.10", "alpine:latest", "hello-world:latest", "busybox:buildroot-2014.02"];
  await engine.docker("tag", "busybox:latest", "conformance-keep/busybox:1").catch(() => undefined);
  for (const name of names) await engine.docker("tag", "conformance-keep/busybox:1", name);
}

/** @returns {import("./inside.mjs").Outcomes} */
function read(report, ended) {
  let xml;
  try {
    xml = readFileSync(report, "utf8");
  } catch {
    return new Map([["(the whole file)", { passed: false, message: `no result: ${ended}` }]]);
  }
  const cases = xml.matchAll(/<testcase classname="([^"]*)" name="([^"]*)"[^>]*?(?:\/>|>(.*?)<\/testcase>)/gs);
  return new Map(
    [...cases].flatMap(([, where = "", name = "", inner = ""]) => {
      if (inner.includes("<skipped")) return [];
      const [, message] = /<(?:failure|error) message="([^"]*)"/.exec(inner) ?? [];
      const outcome = { passed: message === undefined, message: plain(message ?? "") };
      return [[`${where.split(".").at(-1)}::${name}`, outcome]];
    }),
  );
}

function plain(xml) {
  return xml
    .replaceAll(/&#10;|\s+/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .slice(0, 200);
}
