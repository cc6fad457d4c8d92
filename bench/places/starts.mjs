// A start until its port answers, inside a place and outside, alternately on one Berth; and the taking of a place on it.
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { ask } from "../../scripts/ask.mjs";
import { loadBusybox } from "../../scripts/busybox.mjs";
import { startBerth } from "../start/engines.mjs";
import { addUser, at, timed } from "./samples.mjs";

const [ENGINE_PORT, OWN_PORT, OTHER_PORT] = [7_793, 7_794, 7_795];
const TAKES = 20;

const ENGINE = `127.0.0.1:${ENGINE_PORT}`;

/** Starts a Berth that is a host of the directory's fleet. */
export async function startFleetHost(folder, settings) {
  const berth = await startBerth(folder, { ...settings, BERTH_LISTEN: ENGINE, BERTH_FLEET_ADDRESS: `tcp://${ENGINE}` });
  await loadBusybox(`unix:${berth.socket}`, "busybox:latest");
  return berth;
}

/** Measures takes on a real host, and starts there inside a place and outside. */
export async function measureStarts({ url, made }, berth, rounds) {
  const headers = { authorization: `Bearer ${await addUser({ made }, "starter")}` };
  const call = async (target, statuses, method, path, json) => {
    const answer = await ask(`${target}${path}`, { method, json, headers });
    if (!statuses.includes(answer.status)) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  const size = { memory: 2 ** 30, cpus: 1, host: hostname() };
  const take = (name, ports = []) => call(url, [201], "POST", "/api/fleet/places", { ...size, name, ports });
  while (!(await call(url, [200], "GET", "/api/fleet/hosts")).some(({ name }) => name === hostname())) await pause(50);
  const takes = [];
  for (let n = 0; n < TAKES; n++) {
    const { ms, value } = await timed(() => take(`take${n}`));
    takes.push(ms);
    await call(url, [202, 204], "DELETE", `/api/fleet/places/${value.id}`);
  }
  await take("bench", [String(OWN_PORT)]);
  const round = async (prefix, port) => {
    const engineCall = (statuses, method, path, json) =>
      call(`http://${ENGINE}`, statuses, method, `${prefix}/v1.41${path}`, json);
    const before = berth.cpu();
    const { ms, value } = await timed(() => start(engineCall, port));
    await engineCall([204], "DELETE", `/containers/${value}?force=true`);
    return { ms, cpu: berth.cpu() - before };
  };
  const sides = { inside: () => round("/places/bench", OWN_PORT), outside: () => round("", OTHER_PORT) };
  for (let n = 0; n < 2; n++) for (const side of Object.values(sides)) await side();
  const taken = { inside: [], outside: [] };
  for (let n = 0; n < rounds; n++)
    for (const name of n % 2 === 0 ? ["inside", "outside"] : ["outside", "inside"])
      taken[name].push(await sides[name]());
  report(takes, taken);
}

async function start(call, port) {
  const binding = { "80/tcp": [{ HostPort: String(port) }] };
  const { Id } = await call([201], "POST", "/containers/create", {
    Image: "busybox:latest",
    Cmd: ["httpd", "-f", "-p", "80", "-h", "/etc"],
    ExposedPorts: { "80/tcp": {} },
    HostConfig: { PortBindings: binding },
  });
  await call([204], "POST", `/containers/${Id}/start`);
  for (;;) {
    const answer = await ask(`http://127.0.0.1:${port}/hostname`, { timeout: 5_000 }).catch(() => undefined);
    if (answer?.status === 200) return Id;
    await pause(1);
  }
}

function report(takes, { inside, outside }) {
  const of = (list, field, part) =>
    at(
      list.map((one) => one[field]),
      part,
    );
  const row = (name, list) =>
    `  ${name.padEnd(8)} p50 ${of(list, "ms", 0.5).toFixed(1).padStart(6)} ms   p90 ${of(list, "ms", 0.9).toFixed(1).padStart(6)} ms   processor time p50 ${of(list, "cpu", 0.5).toFixed(1)} ms`;
  const ratio = (field) => (of(inside, field, 0.5) / of(outside, field, 0.5)).toFixed(2);
  console.log(`
take until ready on a real host   p50 ${at(takes, 0.5).toFixed(1)} ms   p90 ${at(takes, 0.9).toFixed(1)} ms (goal: p50 at most 100)

create + start until the port answers, ${inside.length} rounds each, alternately
${row("inside", inside)}
${row("outside", outside)}
  inside / outside: p50 ${ratio("ms")}, processor time ${ratio("cpu")}`);
}
