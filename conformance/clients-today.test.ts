import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { promisify } from "node:util";
import Dockerode from "dockerode";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeContainers } from "./berth.testing.ts";
import { sharedBerth } from "./shared-berth.testing.ts";

// Clients of today, from Debian sid and npm, and those of Debian 12 that speak API 1.22.

const run = promisify(execFile);
const berth = sharedBerth();
const CLIENTS = join(import.meta.dirname, "../.cache/clients/usr");
const folder = mkdtempSync(join(tmpdir(), "berth-clients-"));
const NAME = `clients${process.pid}`;
/** A platform that this host is not. */
const OTHER = process.arch === "arm64" ? "amd64" : "arm64";

/** Runs a command to its end; its standard output. */
async function said(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const settings = { DOCKER_HOST: `unix://${berth.socket}`, DOCKER_CONFIG: folder, ...env };
  const { stdout } = await run(command, args, { env: { ...process.env, ...settings } });
  return stdout.trim();
}

function docker(...args: readonly string[]): Promise<string> {
  return said(join(CLIENTS, "bin/docker"), args);
}

/** The same where the engine's socket is Docker's own, for clients that know no other; only they see it there. */
function atDockersSocket(command: readonly string[]): Promise<string> {
  const script = 'mount -t tmpfs tmpfs /run && ln -s "$0" /run/docker.sock && exec "$@"';
  const view = join(folder, "berth.sock");
  return said("unshare", ["--mount", "--propagation", "private", "sh", "-c", script, view, ...command]);
}

beforeAll(async () => {
  const missing = "the clients are missing: scripts/reference.sh clients";
  if (!existsSync(join(CLIENTS, "bin/docker"))) throw new Error(missing);
  // buildah fails without the configuration that a client is told to read.
  writeFileSync(join(folder, "config.json"), "{}");
  // The state's own folder may lie under /run.
  await run("ln", ["-s", berth.socket, join(folder, "berth.sock")]);
});
afterAll(async () => {
  await removeContainers(berth);
  for (const name of ["front", "back"]) await berth.ask("DELETE", `/networks/${NAME}-${name}`);
  await berth.ask("DELETE", `/volumes/${NAME}-data`);
  rmSync(folder, { recursive: true, force: true });
});

test("the Docker CLI: what API 1.42 and later brought", async () => {
  await docker("network", "create", "--subnet", "10.215.7.0/24", `${NAME}-front`);
  await docker("network", "create", "--internal", `${NAME}-back`);
  const data = `${NAME}-data`;
  await docker("run", "--rm", "-v", `${data}:/d`, "busybox", "sh", "-c", "mkdir -p /d/part; echo there > /d/part/f");
  await docker(
    ...["run", "-d", "--name", `${NAME}-box`, "--annotation", "a.b=c", "--health-cmd", "true"],
    ...["--health-interval", "1h", "--health-start-period", "1m", "--health-start-interval", "200ms"],
    ...["--network", `name=${NAME}-front,ip=10.215.7.9,mac-address=02:42:0a:d7:07:09,gw-priority=1,alias=shop`],
    ...["--network", `${NAME}-back`, "--mount", `type=volume,src=${data},dst=/part,volume-subpath=part,readonly`],
    ...["--mount", "type=tmpfs,dst=/t,tmpfs-size=1m", "--stop-signal", "SIGUSR1", "busybox", "sleep", "300"],
  );
  expect(await docker("exec", `${NAME}-box`, "cat", "/part/f")).toBe("there");
  const [box] = JSON.parse(await docker("inspect", `${NAME}-box`));
  expect(box.HostConfig.Annotations).toEqual({ "a.b": "c" });
  expect(Object.keys(box.NetworkSettings.Networks).toSorted()).toEqual([`${NAME}-back`, `${NAME}-front`]);
  expect(box.NetworkSettings.Networks[`${NAME}-front`]).toMatchObject({
    IPAddress: "10.215.7.9",
    MacAddress: "02:42:0a:d7:07:09",
    GwPriority: 1,
  });
  await expect
    .poll(() => docker("inspect", "-f", "{{.State.Health.Status}}", `${NAME}-box`), { timeout: 30_000 })
    .toBe("healthy");
  expect(await docker("image", "ls", "--tree")).toContain("busybox:latest");
  expect(await docker("system", "df", "-v")).toContain(data);
  await docker("container", "stop", "--signal", "SIGKILL", `${NAME}-box`);
  expect(await docker("inspect", "-f", "{{.State.ExitCode}}", `${NAME}-box`)).toBe("137");
});

/** Loads an image for this host and one for another platform, which says so and is the same otherwise, as one. */
async function loadMulti(name: string): Promise<void> {
  const layout = join(folder, "multi");
  const shell = (script: string) =>
    run("sh", ["-c", script, join(CLIENTS, "bin/docker"), `unix://${berth.socket}`, layout]);
  const blob = (digest: string) => join(layout, "blobs", digest.replace(":", "/"));
  const write = (value: object) => {
    const bytes = Buffer.from(JSON.stringify(value));
    const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    writeFileSync(blob(digest), bytes);
    return { digest, size: bytes.length };
  };
  const read = (path: string) => JSON.parse(readFileSync(path, "utf8"));
  mkdirSync(layout);
  await shell('"$0" -H "$1" save busybox | tar -xC "$2"');
  const [{ digest, mediaType }] = read(join(layout, "index.json")).manifests;
  const manifest = read(blob(digest));
  const own = read(blob(manifest.config.digest));
  const manifests = [own.architecture, OTHER].map((architecture) => {
    const config = { ...manifest.config, ...write({ ...own, author: NAME, architecture }) };
    return { mediaType, ...write({ ...manifest, config }), platform: { architecture, os: "linux" } };
  });
  const type = "application/vnd.oci.image.index.v1+json";
  const index = { mediaType: type, ...write({ schemaVersion: 2, mediaType: type, manifests }) };
  const annotations = { "io.containerd.image.name": `docker.io/${name}` };
  const top = { schemaVersion: 2, manifests: [{ ...index, annotations }] };
  writeFileSync(join(layout, "index.json"), JSON.stringify(top));
  await shell('tar -cC "$2" oci-layout index.json blobs | "$0" -H "$1" load');
}

test("the Docker CLI: an image for several platforms", async () => {
  const name = `${NAME}/multi:1`;
  await loadMulti(name);
  const architecture = (...args: readonly string[]) => docker("inspect", "-f", "{{.Architecture}}", ...args, name);
  expect(await architecture("--type=image")).not.toBe(OTHER);
  expect(await docker("image", "inspect", "--platform", `linux/${OTHER}`, "-f", "{{.Architecture}}", name)).toBe(OTHER);
  expect(await docker("image", "ls", "--tree", name)).toMatch(new RegExp(`${name}[^]*linux/${OTHER}`));
  await docker("run", "--platform", `linux/${OTHER}`, "--name", `${NAME}-other`, name, "true");
  expect(await docker("ps", "-a", "--filter", `name=${NAME}-other`, "--format", "{{.Image}}")).toBe(name);
  expect(await docker("image", "history", "--platform", `linux/${OTHER}`, "-q", name)).not.toBe("");
  const used = await said(join(CLIENTS, "bin/docker"), ["rmi", name]).catch((thrown: Error) => thrown.message);
  expect(used).toContain("is using its referenced image");
  await docker("rm", `${NAME}-other`);
  await docker("rmi", "--force", "--platform", `linux/${OTHER}`, name);
  expect(await docker("image", "ls", "--tree", name)).toMatch(new RegExp(`linux/${OTHER} .* 0B .* 0B`));
  expect(await docker("rmi", name)).toContain(`Untagged: ${name}`);
});

test("docker-py 7 at the newest version", async () => {
  const script = join(import.meta.dirname, "fixtures/docker-py-today.py");
  const env = { PYTHONPATH: join(CLIENTS, "lib/python3/dist-packages"), PYTHONDONTWRITEBYTECODE: "1" };
  const seen = JSON.parse(await said("/usr/bin/python3", [script, `unix://${berth.socket}`, `${NAME}py`], env));
  expect(seen).toMatchObject({
    api: "1.51",
    run: "out\nerr\n",
    networks: ["-back", "-front"],
    address: "10.214.7.9",
    names: [`${NAME}py-box`, "shop"].toSorted(),
    exec: [0, "there\n", null],
    archive: ["put", "in\n"],
    stats: true,
    committed: { c: "d" },
    history: true,
    loaded: [[`${NAME}py/committed:1`]],
    top: true,
    exit: 137,
    df: ["BuildCache", "Containers", "Images", "LayersSize", "Volumes"],
  });
});

test("dockerode 5: a hijacked attach, an exec and the events", async () => {
  const engine = new Dockerode({ socketPath: berth.socket });
  const events = await engine.getEvents({ filters: { container: [`${NAME}-node`] } });
  const box = await engine.createContainer({
    name: `${NAME}-node`,
    Image: "busybox",
    Cmd: ["sh", "-c", "read line; echo got $line; echo err >&2; sleep 300"],
    OpenStdin: true,
    HostConfig: { Init: true },
  });
  const stream = await box.attach({ stream: true, stdin: true, stdout: true, stderr: true, hijack: true });
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  engine.modem.demuxStream(stream, stdout, stderr);
  await box.start();
  stream.write("typed\n");
  const [[out], [err]] = await Promise.all([once(stdout, "data"), once(stderr, "data")]);
  expect([String(out), String(err)]).toEqual(["got typed\n", "err\n"]);
  const exec = await box.exec({ Cmd: ["sh", "-c", "exit 3"], AttachStdout: true });
  (await exec.start({ hijack: true, stdin: false })).resume();
  await expect.poll(async () => (await exec.inspect()).ExitCode).toBe(3);
  await box.remove({ force: true });
  const seen: string[] = [];
  for await (const data of events)
    if (
      seen.push(
        ...String(data)
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line).Action),
      ) &&
      seen.includes("destroy")
    )
      break;
  expect(seen).toEqual(expect.arrayContaining(["create", "attach", "start", "exec_die", "die", "destroy"]));
});

test("skopeo of Debian 12 copies images out and in", async () => {
  const image = join(folder, "image");
  await said("skopeo", [
    "copy",
    "--src-daemon-host",
    `unix://${berth.socket}`,
    "docker-daemon:busybox:latest",
    `dir:${image}`,
  ]);
  const back = `docker-daemon:${NAME}/skopeo:1`;
  await said("skopeo", ["copy", "--dest-daemon-host", `unix://${berth.socket}`, `dir:${image}`, back]);
  const inspected = await said("skopeo", ["inspect", "--config", "--daemon-host", `unix://${berth.socket}`, back]);
  expect(JSON.parse(inspected)).toMatchObject({ os: "linux", rootfs: { type: "layers" } });
  await berth.expect([200], "DELETE", `/images/${NAME}/skopeo:1`);
});

test("buildah of Debian 12 begins from an image here, and commits one", async () => {
  const script = [
    `b="buildah --storage-driver vfs --root ${folder}/buildah --runroot /run/buildah"`,
    "$b from --name box docker-daemon:busybox:latest",
    "$b config --label a=b box",
    `$b commit box docker-daemon:${NAME}/buildah:1`,
  ];
  await atDockersSocket(["sh", "-ec", script.join("\n")]);
  const { json } = await berth.expect([200], "GET", `/images/${NAME}/buildah:1/json`);
  expect(json.Config.Labels).toMatchObject({ a: "b" });
  await berth.expect([200], "DELETE", `/images/${NAME}/buildah:1`);
});

test("systeminformation reads the engine, its containers and their use", async () => {
  await docker("run", "-d", "--name", `${NAME}-seen`, "busybox", "sleep", "300");
  const script = join(import.meta.dirname, "fixtures/system-information.mjs");
  const seen = JSON.parse(await atDockersSocket([process.execPath, script, "-seen"]));
  expect(seen).toEqual({ version: expect.stringContaining("28.5"), state: "running", memory: true });
});
