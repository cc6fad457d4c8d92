import { describe, expect, it } from "vitest";
import { specOf } from "../../contract.testing.ts";
import { capabilitiesOf, capabilitiesOfMask } from "./capabilities.ts";
import { findDevices, findThrottles, parseLimits, readHost } from "./host.ts";

describe("parseLimits", () => {
  it("reads the kernel's table", () => {
    const text = [
      "Limit                     Soft Limit           Hard Limit           Units     ",
      "Max cpu time              unlimited            unlimited            seconds   ",
      "Max open files            1024                 20000                files     ",
      "Max msgqueue size         819200               819200               bytes     ",
      "Max nice priority         0                    0                    ",
    ].join("\n");
    expect(parseLimits(text)).toEqual({ nofile: 20_000, msgqueue: 819_200, nice: 0 });
  });
});

describe("capabilities", () => {
  it.each([
    ["0", []],
    ["1", ["CAP_CHOWN"]],
    ["10000000000", ["CAP_CHECKPOINT_RESTORE"]],
  ])("of mask %s are %j", (mask, names) => expect(capabilitiesOfMask(mask)).toEqual(names));

  it("number 41", () => expect(capabilitiesOfMask("1ffffffffff")).toHaveLength(41));

  it.each([
    [[], [], ["CAP_KILL"]],
    [["net_admin"], ["cap_kill"], ["CAP_NET_ADMIN"]],
    [["ALL"], ["NET_ADMIN"], ["CAP_KILL"]],
    [["KILL"], ["ALL"], ["CAP_KILL"]],
    [["all"], [], ["CAP_KILL", "CAP_NET_ADMIN"]],
  ])("with %j and without %j are %j", (add, drop, expected) => {
    const wish = { privileged: false, capabilities: { add, drop } };
    expect(capabilitiesOf(wish, ["CAP_KILL", "CAP_NET_ADMIN"])).toEqual(expected);
  });

  it.each([
    ["FLY", 'invalid capability: "FLY"'],
    ["SYS_TIME", "capability CAP_SYS_TIME can't be given: this host does not have it"],
  ])("can't be %s", (name, message) => {
    const wish = { privileged: false, capabilities: { add: [name], drop: [] } };
    expect(() => capabilitiesOf(wish, ["CAP_KILL"])).toThrow(expect.objectContaining({ kind: "invalid", message }));
  });
});

describe("this machine", () => {
  it("tells what it can do", async () => {
    const host = await readHost();
    expect(host.capabilities.includes("CAP_CHOWN")).toBe(process.getuid?.() === 0);
    expect(host.kernel[0]).toBeGreaterThan(3);
    expect([1, 2]).toContain(host.cgroups.version);
  });

  it("has the devices that are asked for", async () => {
    const devices = [{ hostPath: "/dev/null", path: "/dev/nothing", permissions: "" }];
    const [node] = await findDevices(specOf({ devices }));
    expect(node).toMatchObject({ path: "/dev/nothing", type: "c", major: 1, minor: 3, permissions: "rwm" });
    const all = (await findDevices(specOf({ privileged: true }))).map(({ path }) => path);
    expect(all).toContain("/dev/null");
    expect(all).not.toContain("/dev/ptmx");
    expect(all.filter((path) => path.startsWith("/dev/pts"))).toEqual([]);
    const file = [{ hostPath: "/etc/passwd", path: "/dev/x", permissions: "r" }];
    await expect(findDevices(specOf({ devices: file }))).rejects.toMatchObject({ kind: "invalid" });
  });

  it.each(["/etc/passwd", "/dev/null", "/no/such"])("says of %s as a disk that there is none", async (path) => {
    const throttles = [{ kind: "read-bytes", path, rate: 1 }] as const;
    await expect(findThrottles({ throttles })).rejects.toMatchObject({
      kind: "invalid",
      message: `stat ${path}: no such file or directory`,
    });
  });
});
