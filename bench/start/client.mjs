// One engine's client, a process in that engine's network namespace so that 127.0.0.1 is the engine's. Told by its parent
// what to do, it answers with milliseconds.
import { Agent } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { ask } from "../../scripts/ask.mjs";

const [socket, image, hostPort] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

async function call(statuses, method, path, json) {
  const answer = await ask(`unix:${socket}`, { method, path, json, agent });
  if (!statuses.includes(answer.status)) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.json;
}

const body = {
  Image: image,
  Cmd: ["httpd", "-f", "-p", "80", "-h", "/etc"],
  ExposedPorts: { "80/tcp": {} },
  HostConfig: { PortBindings: { "80/tcp": [{ HostPort: hostPort }] } },
};

/** Create and start until the published port answers 200, then remove; each probe is a new connection. */
async function round() {
  const t0 = performance.now();
  const { Id } = await call([201], "POST", "/v1.41/containers/create", body);
  const created = performance.now();
  await call([204], "POST", `/v1.41/containers/${Id}/start`);
  const started = performance.now();
  for (;;) {
    const answer = await ask(`http://127.0.0.1:${hostPort}/hostname`, { timeout: 5000 }).catch(() => undefined);
    if (answer?.status === 200) break;
    await pause(1);
  }
  const up = performance.now();
  await call([204], "DELETE", `/v1.41/containers/${Id}?force=true`);
  return { create: created - t0, start: started - t0, up: up - t0, rm: performance.now() - up };
}

async function fill(count) {
  for (let n = 0; n < count; n++) await call([201], "POST", `/v1.41/containers/create?name=fill${n}`, body);
}

/** One list of everything. */
async function list() {
  const t0 = performance.now();
  await call([200], "GET", "/v1.41/containers/json?all=true");
  return performance.now() - t0;
}

/** Inspects eight at a time for `milliseconds`; requests a second. */
async function inspect(milliseconds) {
  const end = performance.now() + milliseconds;
  let done = 0;
  const worker = async (n) => {
    for (; performance.now() < end; done++) await call([200], "GET", `/v1.41/containers/fill${n}/json`);
  };
  await Promise.all(Array.from({ length: 8 }, (_, n) => worker(n)));
  return done / (milliseconds / 1000);
}

const tasks = { round, fill, list, inspect };
process.on("message", async ({ task, argument }) => {
  try {
    process.send({ value: await tasks[task](argument) });
  } catch (thrown) {
    process.send({ error: thrown.message });
  }
});
