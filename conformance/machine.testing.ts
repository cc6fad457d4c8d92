import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import type { Berth } from "./berth.testing.ts";

const run = promisify(execFile);

/** What a Berth has on this machine at one moment. */
export interface Traces {
  readonly processes: readonly string[];
  readonly mounts: readonly string[];
  readonly interfaces: readonly string[];
  readonly namespaces: readonly string[];
  /** Elements of maps and sets of Berth's own tables: a published port is one. */
  readonly elements: readonly string[];
  readonly tables: readonly string[];
}

/** Looks at the machine itself, never at what Berth says of it. */
export async function tracesOf({
  instance,
  state,
  run: runFolder,
}: Pick<Berth, "instance" | "state" | "run">): Promise<Traces> {
  const ours = (text: string) => text.includes(instance) || text.includes(state) || text.includes(runFolder);
  const [links, namespaces, ruleset] = await Promise.all([
    run("ip", ["-j", "link"]),
    run("ip", ["-j", "netns", "list"]),
    run("nft", ["-j", "list", "ruleset"], { maxBuffer: 1 << 26 }),
  ]);
  // biome-ignore lint/suspicious/noExplicitAny: the tools' own JSON.
  const nft: any[] = JSON.parse(ruleset.stdout).nftables;
  return {
    processes: readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
      .map((pid) => `${pid} ${commandLine(pid)}`)
      .filter(ours),
    mounts: readFileSync("/proc/self/mounts", "utf8").split("\n").filter(ours),
    interfaces: JSON.parse(links.stdout || "[]")
      .map((link: { ifname: string }) => link.ifname)
      .filter(ours),
    namespaces: JSON.parse(namespaces.stdout || "[]")
      .map((namespace: { name: string }) => namespace.name)
      .filter(ours),
    tables: nft.filter((item) => item.table && ours(item.table.name)).map((item) => item.table.name),
    elements: nft
      .flatMap((item) => [item.map, item.set])
      .filter((set) => set && ours(set.table))
      .flatMap((set) => (set.elem ?? []).map((element: unknown) => `${set.name} ${JSON.stringify(element)}`)),
  };
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}
