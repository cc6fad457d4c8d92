import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");

/** What `leftovers` prints for an instance on a machine with these links, namespaces and tables. */
function leftovers(
  instance: string,
  machine: { readonly links: string; readonly spaces: string; readonly tables: string },
) {
  const script = `
    say() { printf '%s\\n' "$*"; }
    has_command() { true; }
    ip() { case "$*" in "-o link") printf '%s\\n' "$LINKS" ;; "netns list") printf '%s\\n' "$SPACES" ;; esac; }
    nft() { printf '%s\\n' "$TABLES"; }
    . scripts/leftovers.sh
    leftovers`;
  const env = {
    ...process.env,
    BERTH_INSTANCE: instance,
    BERTH_STATE: "/nowhere/state",
    BERTH_RUN: "/nowhere/run",
    LINKS: machine.links,
    SPACES: machine.spaces,
    TABLES: machine.tables,
  };
  const printed = execFileSync("bash", ["-c", script], { cwd: ROOT, env, encoding: "utf8" });
  return printed.split("\n").filter((line) => line !== "");
}

const MACHINE = {
  links: [
    "2: eth0: <UP> mtu 1500 state UP",
    "3: tb0: <UP> mtu 1500\\    link/ether 02:00 brd ff:ff\\    alias berth-tb",
    "4: br-1: <UP> mtu 1500\\    link/ether 02:00 brd ff:ff\\    alias berth-tb\\    altname x",
    "5: tbdev0: <UP> mtu 1500\\    link/ether 02:00 brd ff:ff\\    alias berth-tbdev",
    "6: br-2: <UP> mtu 1500\\    link/ether 02:00 brd ff:ff\\    alias berth-tbdev",
  ].join("\n"),
  spaces: "tb-0a (id: 1)\ntbdev-0b (id: 2)\nother",
  tables: "table inet tb\ntable ip tbdev\ntable inet filter",
};

test("one instance's leftovers are not those of another whose name begins alike", () => {
  expect(leftovers("tb", MACHINE)).toEqual([
    "interface tb0",
    "interface br-1",
    "network namespace tb-0a",
    "nftables table inet tb",
  ]);
  expect(leftovers("tbdev", MACHINE)).toEqual([
    "interface tbdev0",
    "interface br-2",
    "network namespace tbdev-0b",
    "nftables table ip tbdev",
  ]);
  expect(leftovers("t", MACHINE)).toEqual([]);
});
