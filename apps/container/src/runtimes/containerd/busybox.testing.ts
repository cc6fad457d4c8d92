import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { pack } from "tar-stream";
import type { Containerd } from "./client/client.ts";

const applets =
  "sh cat echo id ls mkdir mount ps pwd rm seq sleep stty tail test touch true wc yes head dd env hostname kill".split(
    " ",
  );

/** A root file system of busybox alone, with two users, as an uncompressed layer. */
async function busyboxTar(): Promise<Buffer> {
  const tar = pack();
  const bytes = await readFile("/bin/busybox");
  for (const name of ["bin", "etc", "tmp", "home", "sbin"]) {
    tar.entry({ name: `${name}/`, type: "directory", mode: name === "tmp" ? 0o1777 : 0o755 });
  }
  tar.entry({ name: "bin/busybox", mode: 0o755 }, bytes);
  for (const applet of applets) tar.entry({ name: `bin/${applet}`, type: "symlink", linkname: "busybox" });
  tar.entry({ name: "etc/passwd" }, "root:x:0:0:root:/root:/bin/sh\nalice:x:1000:1000::/home:/bin/sh\n");
  tar.entry({ name: "etc/group" }, "root:x:0:\nalice:x:1000:\nstaff:x:50:alice\naudio:x:29:\n");
  tar.entry({ name: "etc/notes", mode: 0o644 }, "not a program\n");
  tar.finalize();
  return await buffer(tar);
}

/** Unpacks the busybox layer once; answers its chain id. */
export async function busyboxLayers(containerd: Containerd): Promise<string> {
  const tar = await busyboxTar();
  const digest = `sha256:${createHash("sha256").update(tar).digest("hex")}`;
  const layer = { mediaType: "application/vnd.oci.image.layer.v1.tar", digest, size: tar.length };
  await containerd.withLease(async ({ content, snapshots, diff }) => {
    const key = "busybox-unpack";
    await content.write(
      key,
      async function* () {
        yield tar;
      },
      layer,
    );
    await diff.apply(layer, await snapshots.prepare(key, ""));
    await snapshots.commit(digest, key, { labels: { "containerd.io/gc.root": "test" } });
  });
  return digest;
}
