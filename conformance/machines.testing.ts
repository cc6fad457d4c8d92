import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { hostname } from "node:os";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A machine of its own: namespaces for its network, its mounts and its host name, which a process keeps. */
export interface Machine {
  /** A process in the machine's namespaces. */
  readonly pid: number;
  /** The words before a command that run it there, in its root folder; `--wd=FOLDER` may follow. */
  readonly enter: readonly string[];
  /** Ends the machine, but not what runs on it. */
  end(): void;
}

/** Keeps the namespaces. `/sys` is the network namespace's, but for the control groups, which are this machine's. */
const HOLD = `
  echo "$0" >/proc/sys/kernel/hostname
  groups=$(mktemp -d)
  mount --rbind /sys/fs/cgroup "$groups" && mount -t sysfs sysfs /sys && mount --rbind "$groups" /sys/fs/cgroup
  umount -l "$groups" && rmdir "$groups" && ip link set lo up && echo ready && exec sleep infinity`;

export async function openMachine(name = hostname()): Promise<Machine> {
  const holder = spawn("unshare", ["--mount", "--net", "--uts", "bash", "-ec", HOLD, name], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(holder.stdout, "data");
  return {
    pid: holder.pid ?? 0,
    enter: ["nsenter", `--target=${holder.pid}`, "--mount", "--net", "--uts"],
    end: () => void holder.kill("SIGKILL"),
  };
}

/** A machine with a cable to a switch. */
export interface WiredMachine extends Machine {
  readonly name: string;
  readonly address: string;
  /** Pulls the cable, and puts it back in. */
  unplug(): Promise<void>;
  plug(): Promise<void>;
}

/** Machines at one switch, which this machine is at, too. */
export interface Lan {
  /** This machine's own address. */
  readonly address: string;
  readonly machines: readonly WiredMachine[];
  close(): Promise<void>;
}

/** @param subnet that nobody uses, such as `10.128.0.0/16`. */
export async function openLan(names: readonly string[], subnet: string): Promise<Lan> {
  const bridge = `l${process.pid.toString(36)}`;
  const ip = (...args: readonly string[]) => run("ip", args);
  const at = (number: number) => subnet.replace(/0\/16$/, `${number}`);
  await ip("link", "add", bridge, "type", "bridge");
  await ip("address", "add", `${at(254)}/24`, "dev", bridge);
  await ip("link", "set", bridge, "up");
  const machines = await Promise.all(
    names.map(async (name, index): Promise<WiredMachine> => {
      const machine = await openMachine(name);
      const [cable, address] = [`${bridge}-${index}`, at(index + 1)];
      const inside = (...args: readonly string[]) => run("nsenter", [...machine.enter.slice(1), "ip", ...args]);
      await ip(
        "link",
        "add",
        cable,
        "master",
        bridge,
        "type",
        "veth",
        "peer",
        "name",
        "eth0",
        "netns",
        `${machine.pid}`,
      );
      await inside("address", "add", `${address}/24`, "dev", "eth0");
      await inside("link", "set", "eth0", "up");
      const set = async (state: "up" | "down") => void (await ip("link", "set", cable, state));
      await set("up");
      return { ...machine, name, address, unplug: () => set("down"), plug: () => set("up") };
    }),
  );
  return {
    address: at(254),
    machines,
    async close() {
      for (const machine of machines) machine.end();
      await ip("link", "del", bridge);
    },
  };
}
