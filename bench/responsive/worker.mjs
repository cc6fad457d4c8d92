// node worker.mjs SOCKET FOLDER, as a child with a channel: makes what the works need, says so, and then does the work that it is told to
// for that long, and says how often it did it.
import { createReadStream, createWriteStream } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { ask } from "../../scripts/ask.mjs";

const [socketPath, folder] = process.argv.slice(2);
const archive = join(folder, "image.tar");
const CONTAINERS = 1_000;
const LINES = 1_000_000;
const STREAMED = 500_000_000;

async function call(method, path, json) {
  const answer = await ask(`unix:${socketPath}`, { method, path: `/v1.41${path}`, json, timeout: 300_000 });
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status} ${answer.text}`);
  return answer.json;
}

/** The response, whose body the caller reads. */
function open(method, path, body) {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const sent = request({ socketPath, method, path: `/v1.41${path}`, headers }, resolve).on("error", reject);
    sent.end(body);
  });
}

async function drained(response) {
  let bytes = 0;
  for await (const part of response) bytes += part.length;
  return bytes;
}

async function run(Cmd) {
  const { Id } = await call("POST", "/containers/create", { Image: "busybox", Cmd });
  await call("POST", `/containers/${Id}/start`);
  return Id;
}

const idle = await run(["sleep", "1000000"]);
const writer = await run(["seq", String(LINES)]);
const big = await run(["dd", "if=/dev/urandom", "of=/big", "bs=1000000", "count=200"]);
for (const id of [writer, big]) await call("POST", `/containers/${id}/wait`);
await call("POST", `/commit?container=${big}&repo=big&tag=1`);
await pipeline(await open("GET", "/images/big:1/get"), createWriteStream(archive));
for (let made = 0; made < CONTAINERS; made += 10)
  await Promise.all(
    Array.from({ length: 10 }, () => call("POST", "/containers/create", { Image: "busybox", Cmd: ["true"] })),
  );

const WORKS = {
  stream: async () => {
    const Cmd = ["head", "-c", String(STREAMED), "/dev/zero"];
    const { Id } = await call("POST", `/containers/${idle}/exec`, { Cmd, AttachStdout: true });
    const bytes = await drained(await open("POST", `/exec/${Id}/start`, "{}"));
    if (bytes < STREAMED) throw new Error(`${bytes} bytes came instead of ${STREAMED}`);
  },
  load: async () => {
    const body = createReadStream(archive);
    const answer = await ask(`unix:${socketPath}`, { method: "POST", path: "/images/load", body, timeout: 300_000 });
    if (!answer.text.includes("Loaded image")) throw new Error(answer.text);
  },
  list: async () => {
    const { length } = await call("GET", "/containers/json?all=1");
    if (length < CONTAINERS) throw new Error(`${length} containers are listed`);
  },
  logs: async () => {
    const bytes = await drained(await open("GET", `/containers/${writer}/logs?stdout=1`));
    if (bytes < 8 * LINES) throw new Error(`${bytes} bytes of log came`);
  },
};

process.on("message", async ({ work, milliseconds }) => {
  const end = performance.now() + milliseconds;
  let done = 0;
  try {
    if (work === undefined) await pause(milliseconds);
    else for (; performance.now() < end; done++) await WORKS[work]();
    process.send({ done });
  } catch (thrown) {
    process.send({ done, fault: String(thrown) });
  }
});
process.once("disconnect", () => process.exit());
process.send({ ready: true });
