import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readResolvConf } from "./resolv-conf.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "berth-resolv-conf-"));
});
afterAll(() => rm(folder, { recursive: true }));

const STUB = "nameserver 127.0.0.53\noptions edns0 trust-ad\nsearch lan\n";
const RESOLVED = "nameserver 192.0.2.1\nnameserver 192.0.2.2\nsearch lan\n";

it.each([
  ["the host's own", "nameserver 192.0.2.9\n", RESOLVED, "nameserver 192.0.2.9\n"],
  ["systemd-resolved's, where the host names its stub alone", STUB, RESOLVED, RESOLVED],
  ["the host's own, where the stub is one of several", `${STUB}nameserver 192.0.2.9\n`, RESOLVED, undefined],
  ["the host's own, where another program answers on the loopback", "nameserver 127.0.0.1\n", RESOLVED, undefined],
  ["the host's own, where systemd-resolved has no file", STUB, undefined, STUB],
  ["nothing, where the host has no file", undefined, RESOLVED, ""],
])("containers get %s", async (_, own, resolved, expected) => {
  const files = { own: join(folder, "own"), resolved: join(folder, "resolved") };
  await rm(files.own, { force: true });
  await rm(files.resolved, { force: true });
  if (own !== undefined) await writeFile(files.own, own);
  if (resolved !== undefined) await writeFile(files.resolved, resolved);
  expect(await readResolvConf(files)).toBe(expected ?? own);
});
