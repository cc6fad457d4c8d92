import type { Log } from "../../engine/log.ts";
import type { Bridges } from "./bridges.ts";
import { admitToZone, FIREWALLD_TABLE, removeZone } from "./firewalld.ts";
import { admitBridges, type Iptables, legacyTables, removeAdmission } from "./iptables.ts";
import { acceptsBridges, type HostRules, hostRules, type RefusingChain } from "./refusing-chain.ts";
import type { Run } from "./run.ts";
import { iptablesWarning, nftWarning } from "./warnings.ts";

export interface HostFirewallsOptions {
  readonly instance: string;
  readonly run: Run;
  readonly log: Log;
  /** Tells of changes of the host's rules until it is closed; the checks are repeated after each. */
  readonly watch: (changed: () => void) => { close(): void };
}

/** Tables of the old kind tell of no change. */
const REPEAT_MS = 30_000;
/** How long a start, or a change of networks, waits for a check; it goes on in the background. */
const PATIENCE_MS = 5_000;
/** A reload changes many rules one after the other. */
const SETTLE_MS = 200;
/** Where rules change all the time, checks take a tenth of the time; a change waits for its check no longer than this. */
const PAUSE_PER_CHECK = 9;
const LONGEST_PAUSE_MS = 10_000;

/**
 * The firewalls of others on this host. A packet must pass every table, so that one which drops forwarded packets cuts containers off, as
 * Docker's and ufw's do. Where such a firewall leaves a place for the rules of others, Berth adds its own there, and again after a reload;
 * where it does not, {@link warnings} has the commands. No rule of others is ever changed.
 */
export class HostFirewalls {
  readonly #options: HostFirewallsOptions;
  #bridges: Bridges = { all: [], named: [], ipv6: { all: [], named: [] } };
  #warnings: readonly string[] = [];
  #isBlocked = false;
  #queue: Promise<void> = Promise.resolve();
  /** A check that has not begun sees all changes until then: further ones add nothing. */
  #isRepeatQueued = false;
  #lastCheckMs = 0;
  #stopWatching: (() => void) | undefined;
  #isClosed = false;

  constructor(options: HostFirewallsOptions) {
    this.#options = options;
  }

  /** What the administrator has to do; empty where every packet passes. */
  get warnings(): readonly string[] {
    return this.#warnings;
  }

  /**
   * Lets the packets of these bridges pass, and of no other; waits for it where a firewall is known to block, but not for long: a host with
   * very many rules must not keep a service from starting, or a network from being made.
   */
  async admit(bridges: Bridges): Promise<void> {
    const isFirst = this.#stopWatching === undefined;
    this.#bridges = bridges;
    if (isFirst) this.#watch();
    if (isFirst || this.#isBlocked) await this.#checkForAWhile();
  }

  /** Ends the watch; the rules stay, for the containers that go on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopWatching?.();
    await this.#queue;
  }

  /** {@link close}, and takes every rule away that was added, by this process or an earlier one. */
  async remove(): Promise<void> {
    await this.close();
    const { run, instance } = this.#options;
    const { chains } = await this.#rules();
    for (const iptables of await iptablesIn(run, chains)) await removeAdmission(run, iptables, instance);
    if (chains.some(isFirewalld)) await removeZone(run, instance);
  }

  #watch(): void {
    let settling: NodeJS.Timeout | undefined;
    const again = () => {
      settling ??= setTimeout(
        () => {
          settling = undefined;
          void this.#repeat();
        },
        Math.max(SETTLE_MS, Math.min(PAUSE_PER_CHECK * this.#lastCheckMs, LONGEST_PAUSE_MS)),
      ).unref();
    };
    const watched = this.#options.watch(again);
    const repeating = setInterval(again, REPEAT_MS).unref();
    this.#stopWatching = () => {
      watched.close();
      clearInterval(repeating);
      clearTimeout(settling);
    };
  }

  async #repeat(): Promise<void> {
    if (this.#isRepeatQueued) return;
    this.#isRepeatQueued = true;
    this.#queue = this.#queue.then(async () => {
      this.#isRepeatQueued = false;
      if (!this.#isClosed) await this.#admitEverywhere();
    });
    await this.#queue;
  }

  async #checkForAWhile(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS);
    });
    await Promise.race([this.#check(), enough]).finally(() => clearTimeout(timer));
  }

  #check(): Promise<void> {
    const checked = this.#queue.then(() => this.#admitEverywhere());
    this.#queue = checked;
    return checked;
  }

  async #admitEverywhere(): Promise<void> {
    const { log } = this.#options;
    const began = performance.now();
    const warnings = await this.#resolve().catch((fault: Error) => [
      `WARNING: a firewall may cut containers off, and it could not be looked at: ${fault.message}`,
    ]);
    for (const warning of warnings)
      if (!this.#warnings.includes(warning)) log.warn({}, warning.replace("WARNING: ", ""));
    this.#warnings = warnings;
    this.#lastCheckMs = performance.now() - began;
  }

  /** Adds what is missing; gives the warnings about what Berth cannot add. */
  async #resolve(): Promise<readonly string[]> {
    const { run, instance } = this.#options;
    const bridges = this.#bridges;
    const { refusing } = await this.#rules();
    const tables = await iptablesIn(run, refusing);
    this.#isBlocked = refusing.length > 0 || tables.length > 0;
    const warnings: string[] = [];
    for (const iptables of tables) {
      const concerned = iptables.family === "ip6" ? bridges.ipv6 : bridges;
      const { refused } = await admitBridges(run, iptables, { instance, bridges: concerned });
      warnings.push(...refused.map((builtin) => iptablesWarning(iptables, builtin, concerned)));
    }
    if (refusing.some(isFirewalld)) await admitToZone(run, instance, bridges.all);
    for (const chain of refusing.filter(isForeign)) {
      const text = await run("nft", ["list", "chain", chain.family, chain.table, chain.name]);
      const concerned = chain.family === "ip6" ? bridges.ipv6 : bridges;
      if (!acceptsBridges(text, chain, concerned)) warnings.push(nftWarning(chain, concerned));
    }
    return warnings;
  }

  async #rules(): Promise<HostRules> {
    const { run, instance } = this.#options;
    // Terse: the elements of sets and maps are of no interest, and many.
    return hostRules(await run("nft", ["-j", "-t", "list", "ruleset"]), instance);
  }
}

function isFirewalld({ table }: RefusingChain): boolean {
  return table === FIREWALLD_TABLE;
}

function isForeign(chain: RefusingChain): boolean {
  return !isIptables(chain) && !isFirewalld(chain);
}

function isIptables({ family, table, name }: RefusingChain): boolean {
  return family !== "inet" && table === "filter" && ["FORWARD", "INPUT"].includes(name);
}

/** The tables of iptables among these chains, and those of the old kind, which are asked always. */
async function iptablesIn(run: Run, chains: readonly RefusingChain[]): Promise<readonly Iptables[]> {
  const families = new Set(
    chains.filter(isIptables).map(({ family }) => (family === "ip6" ? ("ip6" as const) : ("ip" as const))),
  );
  return [...[...families].map((family) => ({ family, isLegacy: false })), ...(await legacyTables(run))];
}
