import { createServer } from "node:net";
import { archiveOf, textOf } from "./client.mjs";
import { bodyOf, endsAlone, hasFixedPort, MAYBE } from "./model.mjs";
import { pick } from "./random.mjs";

const RUNNING_OPERATIONS = ["stop", "restart", "remove", "exec", "exec", "copy", "commit", "volume", "network", "kill"];

/** How many of a slot's calls a fault tells of. */
const CALLS_KEPT = 8;

/**
 * What the clients do. Each operation makes what it may change uncertain, calls, and makes it certain again once it is answered.
 */
export class Operations {
  /** @param {import("./run.mjs").Run} run */
  constructor(run) {
    this.run = run;
  }

  /** One client, until the round's kill. @param {import("./model.mjs").Slot} slot */
  async client(slot) {
    const { run } = this;
    while (!run.isOver) {
      if (slot.exists === false) await this.create(slot);
      else if (slot.exists === MAYBE) await this.remove(slot);
      else if (slot.running !== true && run.random() < 0.75) await this.start(slot);
      else await this[pick(run.random, RUNNING_OPERATIONS)](slot);
    }
  }

  /** The answer; undefined where it is uncertain what became of the call. What is refused with another status is a fault. */
  async #call(slot, what, method, path, body, statuses) {
    const { run } = this;
    const answer = await run.call(method, path, body);
    slot.calls = [...slot.calls.slice(1 - CALLS_KEPT), `${what} ${answer?.status ?? "uncertain"}`];
    if (answer === undefined || statuses.includes(answer.status)) return answer;
    if (slot.kind === "auto" && [404, 409].includes(answer.status)) return undefined;
    // A commit that an outage cut off pauses it until the runtime is back.
    if (run.isDisturbed && answer.status === 409 && answer.message.includes("is paused")) return undefined;
    run.fault(`${what} refused`, `${slot.kind} ${slot.name}: ${answer.status} ${answer.message}`);
    return undefined;
  }

  async create(slot) {
    slot.serial++;
    Object.assign(slot, {
      name: `c${slot.n}-${slot.serial}`,
      exists: MAYBE,
      running: false,
      exit: undefined,
      id: undefined,
    });
    slot.files = new Map();
    const body = bodyOf(slot, this.run.base);
    const answer = await this.#call(slot, "create", "POST", `/containers/create?name=${slot.name}`, body, [201]);
    if (answer) Object.assign(slot, { exists: true, id: answer.json.Id });
  }

  async start(slot) {
    const was = slot.running;
    Object.assign(slot, { running: MAYBE, exit: undefined });
    const answer = await this.#call(slot, "start", "POST", `/containers/${slot.name}/start`, undefined, [204, 304]);
    if (slot.kind === "auto") {
      slot.exists = MAYBE;
      await this.run.pause(this.run.random() * 300);
      // One that did not start is not removed.
      const isCertain = answer !== undefined && answer.status < 400;
      if (isCertain && this.run.random() < 0.6)
        await this.run.call("POST", `/containers/${slot.name}/wait?condition=removed`);
      return;
    }
    // What a stop that was cut off has sent its signal to runs on for a moment.
    const isEnding = answer?.status === 304 && was === MAYBE;
    if (answer && !isEnding) slot.running = true;
  }

  async stop(slot) {
    const { run } = this;
    const was = slot.running;
    slot.running = MAYBE;
    const answer = await this.#call(slot, "stop", "POST", `/containers/${slot.name}/stop?t=10`, undefined, [204, 304]);
    if (answer === undefined) return;
    slot.running = false;
    // containerd 1.6 forgets the code of a process that ends while it is away, and says 137.
    if (was === true && answer.status === 204 && !endsAlone(slot) && !run.isDisturbed) slot.exit = 42;
    await this.#portIsFree(slot);
  }

  async kill(slot) {
    if (endsAlone(slot)) return;
    const was = slot.running;
    slot.running = MAYBE;
    const { run } = this;
    const answer = await run.call("POST", `/containers/${slot.name}/kill`);
    // It was stopped before, or ended by a signal whose answer an outage cut off.
    if (answer?.status === 409 && (was !== true || run.isDisturbed)) return;
    if (answer?.status !== 204) {
      if (answer) run.fault("kill refused", `${slot.name}: ${answer.status} ${answer.message}`);
      return;
    }
    const ended = await run.call("POST", `/containers/${slot.name}/wait?condition=not-running`);
    if (ended?.status !== 200) return;
    slot.running = false;
    if (was !== true) return;
    slot.exit = 137;
    if (ended.json.StatusCode !== 137) run.fault("wait's code", `${slot.name}: ${ended.json.StatusCode}, not 137`);
  }

  async restart(slot) {
    Object.assign(slot, { running: MAYBE, exit: undefined });
    if (slot.kind === "auto") slot.exists = MAYBE;
    const answer = await this.#call(slot, "restart", "POST", `/containers/${slot.name}/restart?t=10`, undefined, [204]);
    if (answer && slot.kind !== "auto") slot.running = true;
  }

  async remove(slot) {
    Object.assign(slot, { exists: MAYBE, running: MAYBE });
    const path = `/containers/${slot.name}?force=1&v=1`;
    const answer = await this.#call(slot, "remove", "DELETE", path, undefined, [204, 404]);
    if (answer === undefined) return;
    Object.assign(slot, { exists: false, running: false });
    await this.#portIsFree(slot);
  }

  async exec(slot) {
    if (slot.running !== true || endsAlone(slot)) return;
    const { run } = this;
    const wish = { Cmd: ["sh", "-c", "echo hello; exit 7"], AttachStdout: true };
    const made = await this.#call(slot, "exec", "POST", `/containers/${slot.name}/exec`, wish, [201]);
    if (made === undefined) return;
    const ran = await run.call("POST", `/exec/${made.json.Id}/start`, { Detach: false, Tty: false });
    if (ran === undefined || run.isDisturbed) return;
    const output = textOf(ran.bytes);
    if (ran.status !== 200 || output !== "hello\n")
      run.fault("exec's output", `${slot.name}: ${ran.status} ${JSON.stringify(ran.message ?? output)}`);
    const after = await run.call("GET", `/exec/${made.json.Id}/json`);
    if (after && after.json?.ExitCode !== 7) run.fault("exec's code", `${slot.name}: ${after.json?.ExitCode}`);
  }

  async copy(slot) {
    if (slot.kind === "auto") return;
    const { random, round } = this.run;
    const content = `${round}-${Math.floor(random() * 1e9)}`;
    const name = `f${Math.floor(random() * 3)}`;
    // Where no client wrote it before, there is no file.
    slot.files.set(name, [...(slot.files.get(name) ?? [undefined]), content]);
    const path = `/containers/${slot.name}/archive?path=/tmp`;
    if (await this.#call(slot, "cp", "PUT", path, archiveOf(name, content), [200])) slot.files.set(name, [content]);
  }

  async commit(slot) {
    if (slot.kind === "auto") return;
    const { images } = this.run.promises;
    const tag = `t${images.size}`;
    images.set(`chaos:${tag}`, MAYBE);
    const path = `/commit?container=${slot.name}&repo=chaos&tag=${tag}`;
    if (await this.#call(slot, "commit", "POST", path, {}, [201])) images.set(`chaos:${tag}`, true);
  }

  async volume(slot) {
    const { run } = this;
    const { volumes } = run.promises;
    const name = `v${volumes.size}`;
    volumes.set(name, MAYBE);
    if (!(await this.#call(slot, "volume", "POST", "/volumes/create", { Name: name }, [201]))) return;
    volumes.set(name, true);
    if (run.random() < 0.5) return;
    volumes.set(name, MAYBE);
    if (await this.#call(slot, "volume removal", "DELETE", `/volumes/${name}`, undefined, [204]))
      volumes.set(name, false);
  }

  async network(slot) {
    const { networks } = this.run.promises;
    const there = [...networks].filter(([, promised]) => promised !== false);
    if (there.length > 3) return this.#removeNetwork(slot, there[0][0]);
    const name = `n${networks.size}`;
    networks.set(name, MAYBE);
    const wish = { Name: name, CheckDuplicate: true };
    if (!(await this.#call(slot, "network", "POST", "/networks/create", wish, [201]))) return;
    networks.set(name, true);
    if (!endsAlone(slot)) {
      const member = { Container: slot.name, Force: true };
      if (await this.#call(slot, "connect", "POST", `/networks/${name}/connect`, member, [200]))
        await this.#call(slot, "disconnect", "POST", `/networks/${name}/disconnect`, member, [200]);
    }
    await this.#removeNetwork(slot, name);
  }

  async #removeNetwork(slot, name) {
    const { networks } = this.run.promises;
    networks.set(name, MAYBE);
    // A member that another client joined may still be in it.
    const answer = await this.#call(slot, "network removal", "DELETE", `/networks/${name}`, undefined, [204, 403, 404]);
    if (answer) networks.set(name, answer.status === 403);
  }

  /** A fixed port is free once a stop or removal was acknowledged. */
  #portIsFree(slot) {
    const { run } = this;
    if (run.isDisturbed || !hasFixedPort(slot)) return undefined;
    return new Promise((resolve) => {
      const server = createServer();
      server.once("error", ({ code }) => {
        if (!run.isDisturbed) run.fault("port not free after stop", `${slot.name}: ${code}`);
        resolve();
      });
      server.listen(run.base + slot.n, "0.0.0.0", () => server.close(resolve));
    });
  }
}
