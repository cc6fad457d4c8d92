import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { StartedTestContainer, GenericContainer as TestContainer } from "testcontainers";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { removeContainers } from "./berth.testing.ts";
import { serve } from "./docker.testing.ts";
import { page } from "./net.testing.ts";
import { sharedBerth } from "./shared-berth.testing.ts";
import { loadReaper, loadSshServer, removeImages, settingsFor } from "./testcontainers.testing.ts";

const berth = sharedBerth();
// It reads some of its settings when it is imported.
Object.assign(process.env, settingsFor(berth), { TESTCONTAINERS_REUSE_ENABLE: "true" });
const { GenericContainer, Network, TestContainers, Wait } = await import("testcontainers");

let started: StartedTestContainer[] = [];
beforeAll(async () => {
  await loadReaper(berth);
  await loadSshServer(berth);
});
afterEach(async () => {
  await Promise.all(started.map((container) => container.stop({ timeout: 0 })));
  started = [];
});
afterAll(async () => {
  await removeContainers(berth);
  await removeImages(berth);
});

async function start(container: TestContainer): Promise<StartedTestContainer> {
  const running = await container.start();
  started.push(running);
  return running;
}

function busybox(...command: readonly string[]) {
  return new GenericContainer("busybox:latest").withCommand([...command]);
}

describe("waits", () => {
  test("for a port, seen from inside and from here", async () => {
    const web = await start(busybox(...serve("hello")).withExposedPorts(80));
    expect(await page(`http://127.0.0.1:${web.getMappedPort(80)}/`)).toBe("hello\n");
  });

  test("for a line of the log", async () => {
    const container = await start(
      busybox("sh", "-c", "echo warming up; sleep 0.3; echo ready for work; exec sleep 60").withWaitStrategy(
        Wait.forLogMessage("ready for work"),
      ),
    );
    const logs = await container.logs();
    const [first] = await new Promise<readonly Buffer[]>((settle) => logs.once("data", (data) => settle([data])));
    expect(String(first)).toContain("warming up");
    logs.destroy();
  });

  test("for a health check", async () => {
    const container = await start(
      busybox("sh", "-c", "sleep 0.5; touch /tmp/well; exec sleep 60")
        .withHealthCheck({ test: ["CMD-SHELL", "test -e /tmp/well"], interval: 200, timeout: 5000, retries: 50 })
        .withWaitStrategy(Wait.forHealthCheck()),
    );
    expect((await container.exec(["test", "-e", "/tmp/well"])).exitCode).toBe(0);
  });

  test("for a command that succeeds, and for the end", async () => {
    await start(
      busybox("sh", "-c", "sleep 0.3; touch /tmp/there; exec sleep 60").withWaitStrategy(
        Wait.forSuccessfulCommand("test -e /tmp/there"),
      ),
    );
    await start(busybox("true").withWaitStrategy(Wait.forOneShotStartup()));
  });
});

describe("a started container", () => {
  test("runs commands in it and tells output and exit code", async () => {
    const container = await start(busybox("sleep", "60"));
    expect(await container.exec(["sh", "-c", "echo out; echo err >&2; exit 3"])).toMatchObject({
      exitCode: 3,
      stdout: "out\n",
      stderr: "err\n",
    });
    expect(
      await container.exec(["sh", "-c", "pwd; echo $GREETING"], { workingDir: "/tmp", env: { GREETING: "hi" } }),
    ).toMatchObject({ exitCode: 0, stdout: "/tmp\nhi\n" });
  });

  test("takes files before and after its start, and gives them back", async () => {
    const container = await start(
      busybox("sleep", "60").withCopyContentToContainer([{ content: "before", target: "/in/before.txt" }]),
    );
    await container.copyContentToContainer([{ content: "after", target: "/in/after.txt" }]);
    expect((await container.exec(["cat", "/in/before.txt", "/in/after.txt"])).stdout).toBe("beforeafter");
    const archive = await buffer(await container.copyArchiveFromContainer("/in/after.txt"));
    expect(execFileSync("tar", ["-xO", "after.txt"], { input: archive }).toString()).toBe("after");
  });

  test("is found again where it is to be used again", async () => {
    const reusable = () =>
      busybox("sleep", "60")
        .withLabels({ purpose: `reuse-${process.pid}` })
        .withReuse();
    const first = await start(reusable());
    const second = await reusable().start();
    expect(second.getId()).toBe(first.getId());
  });

  test("keeps its ports through a restart as it reports them", async () => {
    const web = await start(busybox(...serve("again")).withExposedPorts(80));
    await web.restart();
    expect(await page(`http://127.0.0.1:${web.getMappedPort(80)}/`)).toBe("again\n");
  });
});

test("containers of a network know each other by their aliases", async () => {
  const network = await new Network({ nextUuid: randomUUID }).start();
  try {
    const web = await start(
      busybox(...serve("inside"))
        .withNetwork(network)
        .withNetworkAliases("page"),
    );
    expect(web.getIpAddress(network.getName())).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
    const client = await start(busybox("sleep", "60").withNetwork(network));
    await expect
      .poll(async () => (await client.exec(["wget", "-qO-", "http://page/"])).stdout, { timeout: 20_000 })
      .toBe("inside\n");
    await Promise.all([web, client].map((container) => container.stop({ timeout: 0 })));
    started = [];
  } finally {
    await network.stop();
  }
});

describe("a port of the host", () => {
  let server: Server | undefined;
  let port = 0;
  const fetched = (container: StartedTestContainer) =>
    container.exec(["wget", "-qO-", `http://host.testcontainers.internal:${port}/`]);
  beforeAll(async () => {
    server = createServer((_, response) => response.end("from the host\n")).listen(0, "127.0.0.1");
    await once(server, "listening");
    ({ port } = server.address() as AddressInfo);
    await TestContainers.exposeHostPorts(port);
  });
  afterAll(() => server?.close());

  test("answers in a container of the common network", async () => {
    const container = await start(busybox("sleep", "60"));
    expect(await fetched(container)).toMatchObject({ exitCode: 0, output: "from the host\n" });
  });

  test("answers in a container of a network of its own", async () => {
    const network = await new Network({ nextUuid: randomUUID }).start();
    try {
      const container = await start(busybox("sleep", "60").withNetwork(network).withNetworkAliases("client"));
      expect(await fetched(container)).toMatchObject({ exitCode: 0, output: "from the host\n" });
    } finally {
      await Promise.all(started.map((container) => container.stop({ timeout: 0 })));
      started = [];
      await network.stop();
    }
  });
});
