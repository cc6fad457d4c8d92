import { afterEach, expect, test } from "vitest";
import { limitGroup, removeGroup } from "./control-groups.ts";
import { podGroup } from "./pod-group.ts";

const NO_LIMITS = { memory: undefined, cpus: undefined, pids: undefined };
const TOP = `kubetest${process.pid}`;
const UID = "0f3c1b52-8d7e-4c0a-9a51-0123456789ab";

afterEach(() => removeGroup(TOP));

test.each([
  ["a kubelet", `${TOP}/pod${UID}`],
  ["a kubelet, for another quality of service", `${TOP}/burstable/pod${UID}`],
  ["systemd", `${TOP}/kubepods.slice/kubepods-pod${UID.replaceAll("-", "_")}.slice`],
])("finds the group that %s made for a Pod", async (_, name) => {
  await limitGroup(name, NO_LIMITS);
  expect(await podGroup(UID)).toBe(name);
  expect(await podGroup(UID.replace("0f", "1f"))).toBeUndefined();
});
