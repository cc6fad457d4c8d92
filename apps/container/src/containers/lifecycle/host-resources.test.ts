import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ContainerId } from "../../engine/ids.ts";
import { memoryContext } from "../memory-context.testing.ts";
import { someContainer, someHostConfig } from "../records/container.testing.ts";
import type { Container } from "../records/container.ts";
import { CREATED, started } from "../records/state.ts";
import { prepare } from "./host-resources.ts";

it("gives a container that joins another's network the names and name servers of that one", async () => {
  const folder = await mkdtemp(join(tmpdir(), "berth-joined-"));
  try {
    const context = await memoryContext(folder);
    const running = async (letter: string, NetworkMode: string, owner?: string) => {
      const container: Container = {
        ...someContainer({ hostConfig: someHostConfig({ NetworkMode, DnsSearch: letter === "a" ? ["corp"] : [] }) }),
        id: letter.repeat(64) as ContainerId,
        name: letter,
        owner,
        endpoints: letter === "a" ? { bridge: {} } : {},
        state: started(CREATED, { pid: process.pid, at: "2026-01-01T00:00:00Z" }),
      };
      await context.registry.insert(container, { kind: "start" });
      await prepare(context, container, undefined);
      const { hosts, resolvConf } = context.files.paths(container.id);
      return await Promise.all([hosts, resolvConf].map((path) => readFile(path, "utf8")));
    };
    const first = await running("a", "bridge");
    expect(first[0]).toMatch(/^172\.29\.0\.\d+\t/m);
    expect(first[1]).toContain("search corp\n");
    expect(await running("b", `container:${"a".repeat(64)}`)).toEqual(first);
    expect(await running("c", `container:${"b".repeat(64)}`)).toEqual(first);
    // By a name that no container had at its create, among its owner's.
    expect(await running("d", "container:c")).toEqual(first);
    const missing = (name: string) => `joining network namespace of container: No such container: ${name}`;
    await expect(running("e", "container:a", "7")).rejects.toThrow(missing("a"));
    await expect(running("1", "container:e")).rejects.toThrow(missing("e"));
    await expect(running("2", "container:3")).rejects.toThrow(missing("3"));
    // Names may lead in a circle.
    expect(await running("3", `container:${"2".repeat(64)}`)).toHaveLength(2);
  } finally {
    await rm(folder, { recursive: true });
  }
});
