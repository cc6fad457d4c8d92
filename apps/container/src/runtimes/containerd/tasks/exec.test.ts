import { afterAll, beforeAll, expect, it } from "vitest";
import type { ContainerSpec, Runtime } from "../../../containers/records/runtime.ts";
import { execOf, readExec, specOf } from "../../contract.testing.ts";
import { busyboxLayers } from "../busybox.testing.ts";
import { startTestContainerd, type TestContainerd } from "../containerd.testing.ts";
import { openContainerdRuntime } from "../runtime.ts";

let test: TestContainerd;
let runtime: Runtime;
let spec: ContainerSpec;
beforeAll(async () => {
  test = await startTestContainerd();
  runtime = await openContainerdRuntime(test);
  spec = specOf({ args: ["sleep", "1000000"] });
  await runtime.create(spec.id, await busyboxLayers(test.containerd));
  await runtime.start(spec);
});
afterAll(async () => {
  await runtime.remove(spec.id);
  await runtime.close();
  await test.dispose();
});

it("runs 100 execs at once, and the container stays usable", { timeout: 180_000 }, async () => {
  const run = async (execId: string) => readExec(await runtime.exec(spec.id, execId, execOf({ args: ["echo", "hi"] })));
  const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => run(`parallel-${index}`)));
  expect(answers).toEqual(Array.from({ length: 100 }, () => ({ stdout: "hi\n", stderr: "", exitCode: 0 })));
  expect(await run("after")).toEqual({ stdout: "hi\n", stderr: "", exitCode: 0 });
});

it("runs execs after many that failed, with nobody who read what they write", { timeout: 180_000 }, async () => {
  const failing = Array.from({ length: 40 }, (_, index) =>
    runtime.exec(spec.id, `failing-${index}`, execOf({ args: ["/no/such/program"] })),
  );
  const outcomes = await Promise.allSettled(failing);
  expect(outcomes.map(({ status }) => status)).toEqual(failing.map(() => "rejected"));
  const { stdout } = await readExec(await runtime.exec(spec.id, "last", execOf({ args: ["echo", "hi"] })));
  expect(stdout).toBe("hi\n");
});
