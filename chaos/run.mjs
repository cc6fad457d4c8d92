import { setTimeout as pause } from "node:timers/promises";
import { checkPromises, settlePromises } from "./checks.mjs";
import { NoAnswer } from "./client.mjs";
import { promisesOf, slotsOf } from "./model.mjs";
import { Operations } from "./operations.mjs";
import { pick, randomOf } from "./random.mjs";
import { leaksSince, worldOf } from "./world.mjs";

/** What a part that was killed is back within. */
const BACK_WITHIN_MS = 60_000;

/** How many work at once before a part that was killed counts as back. */
const SLOTS_BACK = 8;

/** What clients do in one round at most. */
const MOST_CALLS = 80;
const TRAFFIC_LIMIT_MS = 15_000;

/** Rounds between two looks for what was left behind. */
const ROUNDS_PER_LOOK = 10;

/** Kills parts of a Berth at random moments of mixed traffic, and compares what clients were promised with what is there. */
export class Run {
  round = 0;
  calls = 0;
  faults = [];
  leaks = 0;
  /** No further operation begins. */
  isOver = false;
  /** Since a kill, a call may fail, and what it did is uncertain. */
  isDisturbed = false;
  /** What this round kills. */
  #part = "";
  #known = new Set();
  #refusals = new Map();

  /**
   * @param {import("./berth.mjs").ChaosBerth} berth
   * @param {{ seed: number, slots: number, base: number, kills: readonly string[], say: (line: string) => void }} options
   *   `base`: the first of 63 host ports that nobody else uses; `kills`: the parts of which each round kills one
   */
  constructor(berth, { seed, slots, base, kills, say }) {
    this.berth = berth;
    this.random = randomOf(seed);
    this.base = base;
    this.kills = kills;
    this.say = say;
    this.slots = slotsOf(slots);
    this.promises = promisesOf();
    this.ask = berth.ask;
    this.pause = pause;
  }

  fault(kind, what) {
    this.faults.push({ kind, what, round: this.round });
    // With the time, to find it in the logs.
    this.say(`  round ${this.round}, ${new Date().toISOString().slice(11, 23)}: ${kind}: ${what}`);
  }

  /** The answer; undefined where a kill makes it uncertain what became of the call. */
  async call(method, path, body) {
    try {
      const answer = await this.ask(method, path, body);
      this.calls++;
      if (answer.status < 500) return answer;
      this.#note(`${method} ${path} ${answer.status} ${answer.message}`);
      if (answer.status === 500 && /internal error|^undefined$/.test(`${answer.message}`))
        this.fault("internal error", `${method} ${path}: ${answer.bytes}`);
      return this.isDisturbed ? undefined : answer;
    } catch (thrown) {
      // Only the end of the service cuts calls off, and nothing leaves them without an answer.
      const mayBeCut = this.isDisturbed && this.#part === "service" && !(thrown instanceof NoAnswer);
      if (!mayBeCut) this.fault("no answer", `${method} ${path}: ${thrown.message}`);
      return undefined;
    }
  }

  #note(refusal) {
    const key = refusal
      .replace(/[0-9a-f]{12,}/g, "ID")
      .replace(/\b[a-z]+\d*-?\d+\b/g, "NAME")
      .slice(0, 240);
    this.#refusals.set(key, (this.#refusals.get(key) ?? 0) + 1);
  }

  /** The JSON of a list that has to be answered. */
  async look(path) {
    const { status, json, message } = await this.ask("GET", path);
    if (status !== 200) throw new Error(`GET ${path} answered ${status} ${message}`);
    return json;
  }

  /** Asks `look` until it gives undefined; its last answer where that takes longer than `limitMs`. */
  async until(limitMs, look) {
    const end = performance.now() + limitMs;
    while (true) {
      const answer = await look();
      if (answer === undefined || performance.now() > end) return answer;
      await pause(100);
    }
  }

  /** @param {number} rounds @param {() => boolean} isEnding */
  async play(rounds, isEnding) {
    await this.#clear();
    await pause(1000);
    const before = worldOf(this.berth);
    for (this.round = 1; this.round <= rounds; this.round++) {
      const isLast = isEnding() || this.round === rounds;
      await this.#playRound();
      if (this.round % ROUNDS_PER_LOOK === 0 || isLast) {
        await this.#clear();
        await this.#lookForLeaks(before);
        this.say(`round ${this.round}: ${this.faults.length} faults, ${this.leaks} leaks, ${this.calls} calls`);
      }
      if (isLast) break;
    }
    for (const [refusal, count] of this.#refusals) this.say(`  ${count} × ${refusal}`);
  }

  async #playRound() {
    const { berth, random } = this;
    this.isOver = false;
    this.isDisturbed = false;
    const operations = new Operations(this);
    const clients = this.slots.map((slot) =>
      operations.client(slot).catch((thrown) => this.fault("client", thrown.stack)),
    );
    await this.#traffic();
    const part = pick(random, this.kills);
    this.#part = part;
    this.isDisturbed = true;
    const killed = berth.pidOf(part);
    berth.kill(part);
    if (part === "service") {
      this.isOver = true;
      await Promise.all(clients);
      await this.#restartService();
    } else {
      await pause(random() * 3000);
      this.isOver = true;
      await Promise.all(clients);
      await this.#partIsBack(part, killed);
    }
    this.isDisturbed = false;
    await checkPromises(this);
    await settlePromises(this);
  }

  /** Lets the clients make some calls; in each fifth round the kill comes soon after the start. */
  async #traffic() {
    const enough = this.calls + (this.round % 5 === 0 ? 0 : Math.floor(this.random() * MOST_CALLS));
    const end = performance.now() + TRAFFIC_LIMIT_MS;
    while (this.calls < enough && performance.now() < end) await pause(5);
    await pause(this.random() * 400);
  }

  /** Starts the service again; now and then it is killed once more on its way. */
  async #restartService() {
    const { berth, random } = this;
    berth.launch();
    if (random() < 0.15) {
      await pause(random() * 2500);
      berth.kill("service");
      await pause(20);
      berth.launch();
    }
    await berth.answers();
  }

  /** Both are brought back by what supervises them. */
  async #partIsBack(part, killed) {
    const problem = await this.until(BACK_WITHIN_MS, async () => {
      if ([undefined, killed].includes(this.berth.pidOf(part))) return "not started";
      // More at once than the service has connections to it: those of a killed Postgres answer for a while.
      const problems = await Promise.all(Array.from({ length: SLOTS_BACK }, (_, n) => this.#worksAgain(`back${n}`)));
      return problems.find((one) => one !== undefined);
    });
    if (problem) this.fault(`${part} is not back`, problem);
  }

  /** What keeps a container from being made and removed; undefined where nothing does. */
  async #worksAgain(name) {
    const body = { Image: "busybox", Cmd: ["true"] };
    const made = await this.ask("POST", `/containers/create?name=${name}`, body).catch(({ message }) => ({ message }));
    if (made.status !== 201 && made.status !== 409) return `${made.status} ${made.message}`;
    const gone = await this.ask("DELETE", `/containers/${name}?force=1`).catch(({ message }) => ({ message }));
    return gone.status === 204 ? undefined : `${gone.status} ${gone.message}`;
  }

  /** Removes all that clients made. */
  async #clear() {
    const left = await this.until(60_000, async () => {
      const all = await this.look("/containers/json?all=1");
      await Promise.all(all.map(({ Id }) => this.ask("DELETE", `/containers/${Id}?force=1&v=1`)));
      return all.length > 0 ? all.map(({ Names }) => Names[0]) : undefined;
    });
    if (left) this.fault("containers cannot be removed", left.join(" "));
    for (const { Name } of await this.look("/networks"))
      if (!["bridge", "host", "none"].includes(Name)) await this.#delete(`/networks/${Name}`);
    for (const { Name } of (await this.look("/volumes")).Volumes ?? []) await this.#delete(`/volumes/${Name}?force=1`);
    // Images of images are kept by those upon them.
    for (const { Id, RepoTags } of await this.look("/images/json?all=1"))
      if (!RepoTags?.includes("busybox:latest")) await this.ask("DELETE", `/images/${Id}?force=1`);
    for (const slot of this.slots) Object.assign(slot, { exists: false, running: false });
    this.promises = promisesOf();
  }

  async #delete(path) {
    const { status, message } = await this.ask("DELETE", path);
    if (status !== 204) this.fault("cannot be removed", `${path}: ${status} ${message}`);
  }

  async #lookForLeaks(before) {
    const left =
      (await this.until(20_000, async () => {
        const now = leaksSince(before, worldOf(this.berth));
        return now.length > 0 ? now : undefined;
      })) ?? [];
    for (const one of left.filter((leak) => !this.#known.has(leak))) {
      this.#known.add(one);
      this.leaks++;
      this.say(`  round ${this.round}: leak: ${one}`);
    }
  }
}
