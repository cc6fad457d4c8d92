// Hosts as the directory hears them: each reports, waits for news, and has at once what it is told to have.
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { interleave } from "../directory/rates.mjs";
import { addUser, at, timed } from "./samples.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { Pool } = createRequire(join(root, "apps/container/package.json"))("undici");
const USERS = 50;
const IN_FLIGHT = 32;
const SAMPLES = 100;
const SIZE = { memory: 2 ** 28, cpus: 0.1 };

/** Measures takes, one at a time and many, among so many hosts. */
export async function measureFleet({ url, made, servers }, count) {
  const pool = new Pool(url, { connections: count + 2 * IN_FLIGHT, headersTimeout: 60_000 });
  const call = async (token, method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) };
    const answer = await pool.request({ method, path, headers, body: body && JSON.stringify(body) });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
  const operator = await made("/api/users", { login: "hosts", email: "hosts@example.test", role: "operator" });
  const { token } = await made("/api/tokens", { label: "hosts", userId: operator.id, scopes: ["report"] });
  const users = [];
  for (let n = 0; n < USERS; n++) users.push(await addUser({ made }, `user${n}`));
  const hosts = await openHosts((name, report) => call(token, "PUT", `/api/fleet/hosts/${name}`, report), count);

  let taken = 0;
  const take = () => {
    const n = taken++;
    const user = users[n % USERS];
    const wish = { ...SIZE, name: `p${n}`, host: `h${(n * 7) % count}`, seconds: 3_600 };
    return call(user, "POST", "/api/fleet/places", wish).then(({ id, state }) => ({ id, user, state }));
  };
  const give = ({ id, user }) => call(user, "DELETE", `/api/fleet/places/${id}`);
  for (let n = 0; n < 20; n++) await give(await take());
  const single = [];
  for (let n = 0; n < SAMPLES; n++) {
    const { ms, value } = await timed(take);
    if (value.state !== "ready") throw new Error(`a place was ${value.state} after ${ms} ms`);
    single.push(ms);
    await give(value);
  }
  const { cycles } = await interleave({
    cycles: { inFlight: IN_FLIGHT, servers, work: async () => give(await take()) },
  });
  await hosts.close();
  await pool.close();
  console.log(`
places of ${count} simulated hosts
  take until ready, one at a time   p50 ${at(single, 0.5).toFixed(1)} ms   p90 ${at(single, 0.9).toFixed(1)} ms (goal: p50 at most 100)
  take and give back, ${IN_FLIGHT} at a time  ${cycles.rate.toFixed(0)}/s   processor time of one: ${(cycles.server / 1_000).toFixed(1)} ms in directory and database`);
}

/** Settles once the directory knows all of them. */
async function openHosts(report, count) {
  let isOver = false;
  const first = [];
  const running = Array.from({ length: count }, (_, n) => {
    const { registered, ended } = openHost(`h${n}`, report, () => isOver);
    first.push(registered);
    return ended;
  });
  await Promise.all(first);
  return {
    async close() {
      isOver = true;
      await Promise.all(running);
    },
  };
}

function openHost(name, report, isOver) {
  let known;
  const registered = new Promise((settle) => {
    known = settle;
  });
  const size = { address: `tcp://${name}.example.test:2375`, memory: 2 ** 36, cpus: 64 };
  const ended = (async () => {
    let [turn, has] = [null, new Map()];
    while (!isOver()) {
      const places = [...has].map(([grant, secondsLeft]) => ({ grant, secondsLeft, state: "ready", containers: 0 }));
      const waitSeconds = turn === null ? 0 : 10;
      const answer = await report(name, { ...size, turn, waitSeconds, places, refused: [] });
      turn = answer.turn;
      if (answer.outcome !== "accepted") continue;
      has = new Map(answer.places.map(({ grant, secondsLeft }) => [grant, secondsLeft]));
      known();
    }
  })();
  ended.catch((fault) => console.error(fault.message));
  return { registered, ended };
}
