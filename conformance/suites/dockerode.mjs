// dockerode's own tests, from a checkout with its packages installed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inside } from "./inside.mjs";

// Swarm, plugins and BuildKit are no part of a container service.
const FILES = ["docker", "container", "image", "networks", "promises", "util"];

/**
 * @param {import("./inside.mjs").Engine} engine
 * @param {{ checkout: string, folder: string }} where `folder` keeps the results
 * @returns {Promise<import("./inside.mjs").Outcomes>}
 */
export async function runDockerode(engine, { checkout, folder }) {
  await makeUbuntu(engine);
  /** @type {import("./inside.mjs").Outcomes} */
  const outcomes = new Map();
  for (const file of FILES) {
    await engine.docker("tag", "conformance-keep/ubuntu:1", "ubuntu:latest");
    await engine.docker("tag", "conformance-keep/busybox:1", "hello-world:latest");
    const log = join(folder, `${file}.json`);
    const ended = await inside(engine, {
      command: [join(checkout, "node_modules/.bin/mocha"), "--exit", "-R", "json", `test/${file}.js`],
      cwd: checkout,
      // Set at all, it leads the tests to the default of dockerode, which is DOCKER_HOST.
      env: { DOCKER_SOCKET: engine.socket },
      log,
      seconds: 300,
    });
    for (const [name, outcome] of read(log, ended)) outcomes.set(`${file} ${name}`, outcome);
  }
  return outcomes;
}

/** The tests want an Ubuntu with a bash: busybox with a static one is enough for them. */
async function makeUbuntu(engine) {
  await engine.docker("tag", "busybox:latest", "conformance-keep/busybox:1");
  const id = await engine.docker("create", "busybox:latest");
  await engine.docker("cp", "/bin/bash-static", `${id}:/bin/bash`);
  await engine.docker("commit", id, "conformance-keep/ubuntu:1");
  await engine.docker("rm", id);
}

/** @returns {import("./inside.mjs").Outcomes} */
function read(log, ended) {
  const text = readFileSync(log, "utf8");
  try {
    const { tests, pending } = JSON.parse(text.slice(text.indexOf('{\n  "stats"')));
    const left = new Set(pending.map(({ fullTitle }) => fullTitle));
    return new Map(
      tests
        .filter(({ fullTitle }) => !left.has(fullTitle))
        .map(({ fullTitle, err: { message } }) => [
          fullTitle,
          {
            passed: message === undefined,
            message: String(message ?? "")
              .replaceAll(/\s+/g, " ")
              .slice(0, 200),
          },
        ]),
    );
  } catch {
    return new Map([["(the whole file)", { passed: false, message: `no result: ${ended}` }]]);
  }
}
