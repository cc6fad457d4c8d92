import { afterEach, expect, it, vi } from "vitest";
import { type FirewalledHost, openFirewalledHost } from "./firewalled-host.testing.ts";
import { HostFirewalls } from "./host-firewalls.ts";

// A command of firewalld takes half a second, and a dockerd three to start.
vi.setConfig({ testTimeout: 120_000 });

const BRIDGES = { all: ["berth0"], named: ["berth0"], ipv6: { all: [], named: [] } };
const EVERYTHING = { published: true, out: true, neighbour: true, names: true };

let host: FirewalledHost | undefined;
let firewalls: HostFirewalls | undefined;
let changed = () => {};
const LOGGED: string[] = [];

afterEach(async () => {
  await firewalls?.close();
  await host?.end();
  LOGGED.length = 0;
});

function firewallsOf({ run }: FirewalledHost): HostFirewalls {
  const note = (_fields: object, message: string) => LOGGED.push(message);
  return new HostFirewalls({
    instance: "berth",
    run,
    log: { info: note, warn: note, error: note },
    watch: (again) => {
      changed = again;
      return { close: () => undefined };
    },
  });
}

it("admits containers beside a dockerd that drops what it does not know", async () => {
  host = await openFirewalledHost(async ({ run, start, until }) => {
    // dockerd drops forwarded packets on a host that forwarded none before it.
    await run("sysctl", ["-qw", "net.ipv4.ip_forward=0"]);
    start("dockerd", "--storage-driver=vfs", "--data-root=/run/docker-data", "--ip6tables", "--experimental");
    await until("sh", "-c", "iptables -S | grep -x -- '-P FORWARD DROP' && docker version");
  });
  const { run, reach } = host;
  await run("iptables", ["-I", "DOCKER-USER", "-s", "10.9.0.3", "-j", "DROP"]);
  const before = await run("iptables", ["-S"]);
  expect(await reach()).toMatchObject({ published: false, out: false });
  firewalls = firewallsOf(host);
  await firewalls.admit(BRIDGES);
  expect(await reach()).toMatchObject(EVERYTHING);
  expect(firewalls.warnings).toEqual([]);
  // What the administrator refuses is asked first.
  expect((await run("iptables", ["-S", "DOCKER-USER"])).trim().split("\n").slice(1)).toEqual([
    "-A DOCKER-USER -s 10.9.0.3/32 -j DROP",
    "-A DOCKER-USER -j BERTH-FORWARD",
    "-A DOCKER-USER -j RETURN",
  ]);
  await run("iptables", ["-F", "DOCKER-USER"]);
  expect(await reach()).toMatchObject({ published: false });
  changed();
  await expect.poll(reach).toMatchObject(EVERYTHING);
  await run("iptables", ["-F", "DOCKER-USER"]);
  await run("iptables", ["-A", "DOCKER-USER", "-s", "10.9.0.3", "-j", "DROP"]);
  await run("iptables", ["-A", "DOCKER-USER", "-j", "RETURN"]);
  await firewalls.admit({ all: ["berth0", "br-1"], named: [], ipv6: { all: [], named: [] } });
  expect(await run("iptables", ["-S", "BERTH-FORWARD"])).toContain("-A BERTH-FORWARD -o br-1 -j ACCEPT");
  await firewalls.remove();
  expect(await run("iptables", ["-S"])).toBe(before);
  expect(await run("ip6tables", ["-S"])).not.toContain("BERTH");
});

it("admits containers beside ufw, again after its reload, and keeps them from the host", async () => {
  host = await openFirewalledHost(async ({ run }) => {
    await run("ufw", ["--force", "enable"]);
    // The first enabling may leave two of ufw's rules for IPv6 out, which its reload adds.
    await run("ufw", ["reload"]);
  });
  const { run, reach } = host;
  const [before, before6] = [await run("iptables", ["-S"]), await run("ip6tables", ["-S"])];
  expect(await reach()).toMatchObject({ published: false, out: false, names: false, host: false });
  firewalls = firewallsOf(host);
  await firewalls.admit(BRIDGES);
  expect(await reach()).toEqual({ ...EVERYTHING, host: false });
  await run("ufw", ["reload"]);
  expect(await reach()).toMatchObject({ published: false });
  changed();
  await expect.poll(reach).toEqual({ ...EVERYTHING, host: false });
  // A refusal of the administrator holds.
  await run("ufw", ["route", "deny", "in", "on", "berth0", "to", "10.9.0.2"]);
  changed();
  await expect.poll(reach).toEqual({ ...EVERYTHING, out: false, host: false });
  await run("ufw", ["route", "delete", "deny", "in", "on", "berth0", "to", "10.9.0.2"]);
  await firewalls.remove();
  expect(await run("iptables", ["-S"])).toBe(before);
  expect(await run("ip6tables", ["-S"])).toBe(before6);
  expect(LOGGED).toEqual([]);
});

it("puts bridges into a zone of firewalld, which survives a reload", async () => {
  host = await openFirewalledHost(async ({ run, start, until }) => {
    await run("sh", ["-c", "mkdir -p /run/dbus && dbus-daemon --system --fork"]);
    start("firewalld", "--nofork", "--nopid");
    await until("firewall-cmd", "--state");
  });
  const { run, reach } = host;
  expect(await reach()).toMatchObject({ out: false, host: false });
  firewalls = firewallsOf(host);
  await firewalls.admit(BRIDGES);
  // Its commands are slow, and an admission goes on in the background after some seconds.
  await expect.poll(reach, { timeout: 60_000 }).toEqual({ ...EVERYTHING, host: false });
  await run("firewall-cmd", ["--reload"]);
  expect(await reach()).toEqual({ ...EVERYTHING, host: false });
  await run("firewall-cmd", ["--permanent", "--zone=berth", "--remove-interface=berth0"]);
  await run("firewall-cmd", ["--reload"]);
  changed();
  await expect.poll(reach).toEqual({ ...EVERYTHING, host: false });
  await firewalls.remove();
  expect(await run("firewall-cmd", ["--get-zones"])).not.toContain("berth");
  expect(await run("firewall-cmd", ["--get-policies"])).not.toContain("berth");
});

it("warns with the commands that open a chain which only its owner may change", async () => {
  host = await openFirewalledHost(async ({ run }) => {
    await run("nft", [
      "add table inet mine; add chain inet mine forward { type filter hook forward priority 0; policy drop; }",
    ]);
    await run("iptables-legacy", ["-P", "FORWARD", "DROP"]);
  });
  const { run, reach } = host;
  firewalls = firewallsOf(host);
  await firewalls.admit(BRIDGES);
  expect(await reach()).toMatchObject({ published: false, out: false });
  expect(firewalls.warnings).toEqual([
    expect.stringContaining("the chain FORWARD of iptables-legacy drops forwarded packets"),
    expect.stringContaining("the chain inet mine forward drops forwarded packets"),
  ]);
  expect(LOGGED).toHaveLength(2);
  for (const warning of firewalls.warnings) await run("sh", ["-euc", warning.split("comes from: ")[1] ?? ""]);
  expect(await reach()).toMatchObject(EVERYTHING);
  await firewalls.admit(BRIDGES);
  expect(firewalls.warnings).toEqual([]);
});
