// node demo.mjs start|stop
// The demo: busybox's web server in a container with a published port. `start` makes the image and the container where
// they are missing, waits until the page answers, and prints its URL as the last line.
import { setTimeout as pause } from "node:timers/promises";
import { ask } from "./ask.mjs";
import { loadBusybox } from "./busybox.mjs";

const engine = `unix:${process.env.BERTH_SOCKET}`;
const NAME = "berth-demo";
const IMAGE = "berth/demo:latest";
const firstPort = Number(process.env.BERTH_DEMO_PORT);
const page = `<!doctype html><title>Berth</title><h1>Berth</h1><p>This page comes from the container <b>${NAME}</b>, through its published port.</p>`;
const request = {
  Image: IMAGE,
  Cmd: ["sh", "-c", `mkdir -p /www && echo '${page}' > /www/index.html && exec httpd -f -p 80 -h /www`],
  ExposedPorts: { "80/tcp": {} },
  HostConfig: {
    // A range takes its first free port: the demo moves on where another program has 8080.
    PortBindings: { "80/tcp": [{ HostIp: "127.0.0.1", HostPort: `${firstPort}-${Math.min(firstPort + 99, 65535)}` }] },
    RestartPolicy: { Name: "unless-stopped" },
  },
};

const commands = { start, stop };
await commands[process.argv[2]]().catch((thrown) => {
  console.error(`berth: the demo failed: ${thrown.message}`);
  process.exitCode = 1;
});

async function start() {
  await ensureImage();
  await ensureContainer();
  console.log(await answeringUrl());
}

async function stop() {
  await expect([204, 404, 409], "DELETE", `/containers/${NAME}?force=true&v=true`);
}

async function ensureImage() {
  const found = await ask(engine, { path: `/images/${encodeURIComponent(IMAGE)}/json` });
  if (found.status === 200) return;
  await loadBusybox(engine, IMAGE);
}

/** Leaves a running demo alone, and replaces one that was made from another request than ours of today. */
async function ensureContainer() {
  const found = await ask(engine, { path: `/containers/${NAME}/json` });
  const same = JSON.stringify(found.json?.Config?.Cmd) === JSON.stringify(request.Cmd);
  if (found.status === 200 && !same) await stop();
  if (found.status === 404 || !same) await expect([201], "POST", `/containers/create?name=${NAME}`, request);
  const started = await expect([204, 304, 404], "POST", `/containers/${NAME}/start`);
  if (started.status !== 404) return;
  // A restored database tells of a container whose layer is gone since.
  await stop();
  await expect([201], "POST", `/containers/create?name=${NAME}`, request);
  await expect([204], "POST", `/containers/${NAME}/start`);
}

async function answeringUrl() {
  const { json } = await expect([200], "GET", `/containers/${NAME}/json`);
  const binding = json.NetworkSettings.Ports["80/tcp"]?.[0];
  if (!binding) throw new Error(`no port is published: ${JSON.stringify(json.State)}`);
  const url = `http://${binding.HostIp}:${binding.HostPort}/`;
  const end = performance.now() + 15_000;
  while (performance.now() < end) {
    const answer = await ask(url, { timeout: 1000 }).catch(() => undefined);
    if (answer?.status === 200 && answer.text.includes(NAME)) return url;
    await pause(50);
  }
  throw new Error(`${url} does not answer`);
}

async function expect(statuses, method, path, json) {
  const answer = await ask(engine, { method, path, json });
  if (statuses.includes(answer.status)) return answer;
  throw new Error(`${method} ${path} answered ${answer.status}: ${answer.json?.message ?? answer.text}`);
}
