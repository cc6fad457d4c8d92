import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isUnified, ROOT } from "./control-groups.ts";

/** How deep below the root a kubelet may keep Pods: `kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-pod….slice`. */
const DEPTH = 4;
/** Groups in which a kubelet keeps Pods: its own, and those of a quality of service. */
const PODS_FOLDER = /^(kube[\w.-]*|burstable|besteffort)$/;

/**
 * The control group that a kubelet made for a Pod: `kubepods/pod…` where it makes its groups, a slice where systemd makes them.
 * Undefined if there is none.
 *
 * @param uid the Pod's.
 */
export async function podGroup(uid: string): Promise<string | undefined> {
  const tree = (await isUnified()) ? ROOT : join(ROOT, "memory");
  const slice = `-pod${uid.replaceAll("-", "_")}.slice`;
  const isPods = (name: string) => name === `pod${uid}` || (name.startsWith("kube") && name.endsWith(slice));
  let level = [""];
  for (let depth = 0; depth < DEPTH; depth++) {
    const below: string[] = [];
    for (const group of level) {
      const entries = await readdir(join(tree, group), { withFileTypes: true }).catch(() => []);
      const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
      const found = names.find(isPods);
      if (found !== undefined) return join(group, found);
      below.push(...names.filter((name) => PODS_FOLDER.test(name)).map((name) => join(group, name)));
    }
    level = below;
  }
  return undefined;
}
