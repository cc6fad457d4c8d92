import { afterEach, describe, expect, test } from "vitest";
import { freePort, removeContainers } from "./berth.testing.ts";
import { type Traces, tracesOf } from "./machine.testing.ts";
import { answers, foreignListener, page } from "./net.testing.ts";
import { sharedBerth } from "./shared-berth.testing.ts";

const berth = sharedBerth();
afterEach(() => removeContainers(berth));

/** Creates a web server whose container port 80 is bound to `bindings`; gives its id. */
async function web(name: string, ...bindings: readonly { HostIp?: string; HostPort?: string }[]): Promise<string> {
  const { json } = await berth.expect([201], "POST", `/containers/create?name=${name}`, {
    Image: "busybox",
    Cmd: ["sh", "-c", `mkdir /www && echo ${name} > /www/index.html && exec httpd -f -p 80 -h /www`],
    HostConfig: { PortBindings: { "80/tcp": bindings } },
  });
  return json.Id;
}
function start(id: string) {
  return berth.ask("POST", `/containers/${id}/start`);
}
async function inspect(id: string) {
  return (await berth.expect([200], "GET", `/containers/${id}/json`)).json;
}

/** What one container leaves on the machine: everything but the sandboxes made ahead. */
function lasting(traces: Traces) {
  return {
    shims: traces.processes.filter((line) => line.includes("containerd-shim")).length,
    loggers: traces.processes.filter((line) => line.includes("logger")).length,
    mounts: traces.mounts.filter((line) => !line.includes("netns")).length,
    // What binds a container to its addresses goes with its sandbox, a moment after it.
    published: traces.elements.filter((line) => /^(ports|addresses) /.test(line)),
  };
}

describe("a host port that another program holds", () => {
  test("makes start fail with Docker's status and words, changes nothing, and the container starts once it is free", async () => {
    const foreign = await foreignListener("127.0.0.1");
    const id = await web("late", { HostIp: "127.0.0.1", HostPort: String(foreign.port) });
    const before = lasting(await tracesOf(berth));
    const refused = await start(id);
    const words = new RegExp(
      `^failed to set up container networking: driver failed programming external connectivity on endpoint late \\([0-9a-f]{64}\\): Bind for 127\\.0\\.0\\.1:${foreign.port} failed: port is already allocated`,
    );
    expect(refused).toMatchObject({ status: 500, json: { message: expect.stringMatching(words) } });
    const { State, NetworkSettings } = await inspect(id);
    expect(State).toMatchObject({ Status: "created", Running: false, ExitCode: 128, Error: refused.json.message });
    expect(NetworkSettings.Ports).toEqual({});
    expect(lasting(await tracesOf(berth))).toEqual(before);

    await foreign.close();
    expect((await start(id)).status).toBe(204);
    expect(await page(`http://127.0.0.1:${foreign.port}/`)).toBe("late\n");
  });

  test("is stepped over where the binding is a range", async () => {
    const foreign = await foreignListener("127.0.0.1");
    const id = await web("range", { HostIp: "127.0.0.1", HostPort: `${foreign.port}-${foreign.port + 20}` });
    expect((await start(id)).status).toBe(204);
    const port = Number((await inspect(id)).NetworkSettings.Ports["80/tcp"][0].HostPort);
    expect(port).toBeGreaterThan(foreign.port);
    expect(await page(`http://127.0.0.1:${port}/`)).toBe("range\n");
    await foreign.close();
  });

  test("takes nothing of a container's other ports with it: all or nothing", async () => {
    const foreign = await foreignListener("127.0.0.1");
    const free = await freePort();
    const id = await web(
      "both",
      { HostIp: "127.0.0.1", HostPort: String(free) },
      { HostIp: "127.0.0.1", HostPort: String(foreign.port) },
    );
    expect((await start(id)).status).toBe(500);
    const mine = await foreignListener("127.0.0.1", free);
    await mine.close();
    await foreign.close();
    expect((await start(id)).status).toBe(204);
  });
});

describe("a host port that a container holds", () => {
  test("is refused to another container, which is told the holder's name", async () => {
    const port = String(await freePort());
    const holder = await web("holder", { HostPort: port });
    expect((await start(holder)).status).toBe(204);
    const second = await web("second", { HostIp: "127.0.0.1", HostPort: port });
    const refused = await start(second);
    expect(refused.status).toBe(500);
    expect(refused.json.message).toContain(`Bind for 127.0.0.1:${port} failed: port is already allocated`);
    expect(refused.json.message).toContain("holder");
    await berth.expect([204], "POST", `/containers/${holder}/stop?t=0`);
    expect((await start(second)).status).toBe(204);
    expect(await page(`http://127.0.0.1:${port}/`)).toBe("second\n");
  });

  test("is refused to any other program while it is published, and free as soon as it is not", async () => {
    const port = await freePort();
    const id = await web("fort", { HostPort: String(port) });
    await start(id);
    await expect(foreignListener("127.0.0.1", port)).rejects.toThrow("EADDRINUSE");
    await expect(foreignListener("0.0.0.0", port)).rejects.toThrow("EADDRINUSE");
    await berth.expect([204], "POST", `/containers/${id}/stop?t=0`);
    const mine = await foreignListener("127.0.0.1", port);
    await mine.close();
  });

  test("answers on the loopback of both families and from another container through the host", async () => {
    const port = await freePort();
    const id = await web("open", { HostPort: String(port) });
    await start(id);
    const { NetworkSettings } = await inspect(id);
    for (const { HostIp, HostPort } of NetworkSettings.Ports["80/tcp"]) {
      expect(HostPort).toBe(String(port));
      expect(await page(`http://${HostIp === "::" ? "[::1]" : "127.0.0.1"}:${port}/`)).toBe("open\n");
    }
    // By the host's own address, from a container (itself included): the packet turns round on the bridge.
    const { json } = await berth.expect([201], "POST", `/containers/${id}/exec`, {
      Cmd: ["wget", "-q", "-O", "-", `http://${NetworkSettings.Gateway}:${port}/`],
      AttachStdout: true,
      AttachStderr: true,
      Tty: true,
    });
    const told = await berth.expect([200], "POST", `/exec/${json.Id}/start`, { Detach: false, Tty: true });
    expect(told.text.trim()).toBe("open");
  });
});

describe("nothing leaks", () => {
  test("after many starts and removals the machine is as before", async () => {
    // The first run makes what stays for all: the bridge, the sandboxes ahead.
    const round = async (n: number) => {
      const id = await web(`leak${n}`, { HostPort: "" }, { HostIp: "127.0.0.1", HostPort: "" });
      expect((await start(id)).status).toBe(204);
      await berth.expect([204], "DELETE", `/containers/${id}?force=true`);
    };
    await round(0);
    const before = lasting(await tracesOf(berth));
    const free = (await tracesOf(berth)).namespaces.length;
    for (const n of [1, 2, 3, 4]) await round(n);
    await expect.poll(async () => lasting(await tracesOf(berth)), { timeout: 20_000 }).toEqual(before);
    await expect.poll(async () => (await tracesOf(berth)).elements, { timeout: 20_000 }).toEqual([]);
    await expect
      .poll(async () => (await tracesOf(berth)).namespaces.length, { timeout: 20_000 })
      .toBeLessThanOrEqual(free + 1);
  });

  test("a container that ends by itself gives up its port", async () => {
    const port = await freePort();
    const { json } = await berth.expect([201], "POST", "/containers/create", {
      Image: "busybox",
      Cmd: ["true"],
      HostConfig: { PortBindings: { "80/tcp": [{ HostIp: "127.0.0.1", HostPort: String(port) }] } },
    });
    await start(json.Id);
    await berth.expect([200], "POST", `/containers/${json.Id}/wait`);
    const mine = await foreignListener("127.0.0.1", port);
    await mine.close();
    expect(await answers(`http://127.0.0.1:${port}/`)).toBe(false);
  });
});
