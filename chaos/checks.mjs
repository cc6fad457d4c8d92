import { contentOf, pageAt, textOf } from "./client.mjs";
import { endsAlone, MAYBE } from "./model.mjs";

/** How long a container may take until it is as promised: what a kill interrupted is finished in the background. */
const PATIENCE_MS = 20_000;

/** Compares what clients were promised with what is there. @param {import("./run.mjs").Run} run */
export async function checkPromises(run) {
  await Promise.all(run.slots.filter(({ serial }) => serial > 0).map((slot) => checkSlot(run, slot)));
  await checkNames(run, "image", run.promises.images, async () =>
    (await run.look("/images/json")).flatMap(({ RepoTags }) => RepoTags ?? []),
  );
  await checkNames(run, "network", run.promises.networks, async () =>
    (await run.look("/networks")).map(({ Name }) => Name),
  );
  await checkNames(run, "volume", run.promises.volumes, async () =>
    ((await run.look("/volumes")).Volumes ?? []).map(({ Name }) => Name),
  );
}

async function checkSlot(run, slot) {
  const problem = await run.until(PATIENCE_MS, () => problemOf(run, slot));
  if (problem) {
    run.fault("promise broken", `${slot.kind} ${slot.name}: ${problem}; its last calls: ${slot.calls.join(", ")}`);
    for (const line of run.berth.logOf(slot.id)) run.say(`    ${line}`);
  }
  const log = await run.ask("GET", `/containers/${slot.name}/logs?stdout=1&stderr=1`);
  if (log.status === 200 && !endsAlone(slot)) {
    const gap = gapIn(textOf(log.bytes));
    if (gap) run.fault("log", `${slot.name}: ${gap}`);
  }
  // What is being removed has no certain files.
  if (slot.exists !== true || slot.kind === "auto") return;
  for (const [name, possible] of slot.files) {
    const text = await fileOf(run, slot, name);
    if (!possible.includes(text)) run.fault("file", `${slot.name} /tmp/${name}: ${text} instead of ${possible}`);
  }
}

/** The file's content; undefined where there is none. */
async function fileOf(run, slot, name) {
  const { status, bytes, message } = await run.ask("GET", `/containers/${slot.name}/archive?path=/tmp/${name}`);
  if (status === 404) return undefined;
  return status === 200 ? contentOf(bytes) : `${status} ${message}`;
}

/** What is not as promised; undefined where all is. */
async function problemOf(run, slot) {
  const { status, json } = await run.ask("GET", `/containers/${slot.name}/json`);
  if (slot.exists === false)
    return status === 404 ? undefined : `removed, and is back (${status} ${json?.State?.Status})`;
  if (status === 404) return slot.exists === true ? "created, and is lost" : undefined;
  if (status !== 200) return `inspect: ${status} ${json?.message}`;
  if (slot.id && json.Id !== slot.id) return "another id";
  const { State, RestartCount } = json;
  if (slot.exists === MAYBE && State.Status === "removing") return "stays in removing";
  if (State.Paused) return "paused, though no client asked for that";
  if (slot.kind !== "always" && RestartCount !== 0) return `restart count ${RestartCount}`;
  if (slot.running === true) return problemWhileRunning(slot, json);
  // Restart policy `always` starts at boot what was stopped, as dockerd does.
  if (slot.running !== false || slot.kind === "always") return undefined;
  if (State.Running || State.Restarting) return "stopped, and runs";
  if (slot.exit !== undefined && State.ExitCode !== slot.exit) return `exit code ${State.ExitCode}, not ${slot.exit}`;
  return undefined;
}

async function problemWhileRunning(slot, { Id, State, NetworkSettings }) {
  const { Status, Running, Restarting, ExitCode, Health } = State;
  if (!Running && !Restarting) return `started, and does not run: ${Status} ${ExitCode} ${State.Error}`;
  if (slot.kind === "always") return undefined;
  const port = NetworkSettings.Ports?.["80/tcp"]?.[0]?.HostPort;
  if (!port) return `runs without its port: ${JSON.stringify(NetworkSettings.Ports)}`;
  const page = await pageAt(port);
  if (page !== Id.slice(0, 12)) {
    const { IPAddress } = NetworkSettings;
    const behind = JSON.stringify(await pageAt("80", IPAddress));
    return `port ${port} answers ${JSON.stringify(page)}, ${IPAddress}:80 behind it ${behind}`;
  }
  if (slot.kind === "health" && Health?.Status !== "healthy")
    return `health is ${Health?.Status}: ${JSON.stringify(Health?.Log?.at(-1))}`;
  return undefined;
}

/** Where a line is missing, doubled or cut; undefined where none is. @param {string} text */
export function gapIn(text) {
  let last = 0;
  for (const line of text.split("\n").slice(0, -1)) {
    const [word, number] = line.split(" ");
    if (line === "begin") last = 0;
    else if (word === "line" && Number(number) === last + 1) last++;
    // A run that ended before its first line has no number yet.
    else if (!(word === "end" && ["", `${last}`].includes(number)) && line !== "")
      return `${JSON.stringify(line.slice(0, 80))} after line ${last}`;
  }
  return text === "" || text.endsWith("\n") ? undefined : "ends inside a line";
}

async function checkNames(run, kind, promises, there) {
  const names = new Set(await there());
  for (const [name, promised] of promises) {
    if (promised === true && !names.has(name)) run.fault(`${kind} lost`, name);
    if (promised === false && names.has(name)) run.fault(`${kind} is back`, name);
    promises.set(name, names.has(name));
  }
}

/** Makes certain again what is not: by a request that has to succeed, since what a kill cut off may still be under way. */
export async function settlePromises(run) {
  await Promise.all(run.slots.filter(({ serial }) => serial > 0).map((slot) => settleSlot(run, slot)));
}

async function settleSlot(run, slot) {
  if (slot.kind === "auto" || slot.exists === MAYBE) {
    const { status, message } = await run.ask("DELETE", `/containers/${slot.name}?force=1&v=1`);
    // Another removal is under way.
    const gone = status === 409 ? await run.until(PATIENCE_MS, () => isThere(run, slot)) : undefined;
    if (gone || ![204, 404, 409].includes(status)) run.fault("cannot be removed", `${slot.name}: ${status} ${message}`);
    Object.assign(slot, { exists: false, running: false });
    return;
  }
  if (slot.exists === false) return;
  if (slot.running === MAYBE) {
    const { status, message } = await run.ask("POST", `/containers/${slot.name}/stop?t=10`);
    if (status !== 204 && status !== 304) run.fault("cannot be stopped", `${slot.name}: ${status} ${message}`);
    Object.assign(slot, { running: false, exit: undefined });
  }
  const { status, json } = await run.ask("GET", `/containers/${slot.name}/json`);
  if (status !== 200) {
    slot.exists = false;
    return;
  }
  slot.id = json.Id;
  // A connect that was cut off may have joined it to a network that another client removes, and then it cannot start.
  for (const name of Object.keys(json.NetworkSettings.Networks))
    if (name !== "bridge") {
      const left = await run.ask("POST", `/networks/${name}/disconnect`, { Container: slot.name, Force: true });
      if (left.status !== 200 && left.status !== 404)
        run.fault("cannot leave", `${slot.name} ${name}: ${left.status} ${left.message}`);
    }
  for (const name of slot.files.keys()) slot.files.set(name, [await fileOf(run, slot, name)]);
}

async function isThere(run, slot) {
  const { status } = await run.ask("GET", `/containers/${slot.name}/json`);
  return status === 404 ? undefined : "there";
}
